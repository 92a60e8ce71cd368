#include "emulator/batch_payload.h"

#include <charconv>
#include <cstring>

namespace emulator {
namespace {

void append_length(std::string& out, std::size_t length) {
  const auto value = static_cast<std::uint32_t>(length);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_header(std::string& out, wire::Type type, std::string_view name) {
  out += static_cast<char>(type);
  out += name;
  out += '\0';
}

std::string item_header(std::size_t index) {
  std::string out;
  append_header(out, wire::Type::Document, std::to_string(index));
  return out;
}

std::size_t decimal_digits(std::size_t value) { return std::to_string(value).size(); }

// The elements of the array: their exact size.
std::size_t items_size(const StreamBatch& batch) {
  if (batch.rendered != nullptr) return batch.rendered->size();
  std::size_t size = 0;
  for (std::size_t i = 0; i < batch.documents.size(); ++i) size += 2 + decimal_digits(i) + batch.documents[i].size();
  return size;
}

}  // namespace

wire::Payload batch_payload(const StreamBatch& batch, const wire::Document& tail) {
  wire::DocumentBuilder rest;  // of the cursor, after the array
  if (!batch.post_batch_token.is_default()) rest.append_document("postBatchResumeToken", batch.post_batch_token);
  if (batch.invalidated) rest.append_bool("invalidated", true);
  rest.append_int64("id", batch.cursor).append_string("ns", batch.ns);
  const wire::DocumentView rest_view = rest.view();
  const std::size_t rest_size = rest_view.size() - 5;
  const std::size_t tail_size = tail.size() - 5;
  const std::size_t array_size = 4 + items_size(batch) + 1;
  const std::size_t cursor_size = 4 + 1 + batch.field.size() + 1 + array_size + rest_size + 1;
  const std::size_t size = 4 + 1 + sizeof "cursor" + cursor_size + tail_size + 1;

  std::string head;
  append_length(head, size);
  append_header(head, wire::Type::Document, "cursor");
  append_length(head, cursor_size);
  append_header(head, wire::Type::Array, batch.field);
  append_length(head, array_size);
  std::string end(1, '\0');
  end.append(reinterpret_cast<const char*>(rest_view.data()) + 4, rest_size);
  end += '\0';
  end.append(reinterpret_cast<const char*>(tail.view().data()) + 4, tail_size);
  end += '\0';

  wire::Payload payload(std::move(head));
  if (batch.rendered != nullptr) {
    payload.append_rendered(batch.rendered);
  } else {
    for (std::size_t i = 0; i < batch.documents.size(); ++i) {
      payload.append(item_header(i));
      payload.append_document(batch.documents[i]);
    }
  }
  payload.append(end);
  return payload;
}

}  // namespace emulator
