#include "tests/golden/references.h"

#include <charconv>

#include "tests/golden/tree.h"

namespace golden {
namespace {

// Takes the part before the next point off `path`.
std::string_view next_part(std::string_view& path) {
  const std::size_t point = path.find('.');
  const std::string_view part = path.substr(0, point);
  path = point == std::string_view::npos ? std::string_view() : path.substr(point + 1);
  return part;
}

template <class Items>
const auto& at_index(const Items& items, std::string_view index, std::string_view whole) {
  std::size_t n = 0;
  const bool number = std::from_chars(index.data(), index.data() + index.size(), n).ec == std::errc();
  if (!number || n >= items.size()) throw CaseError("nothing was seen at " + std::string(whole));
  return items[n];
}

}  // namespace

std::int64_t integer(wire::ValueView value) {
  switch (value.type()) {
    case wire::Type::Int32:
      return value.as_int32();
    case wire::Type::Int64:
      return value.as_int64();
    case wire::Type::Double:
      return static_cast<std::int64_t>(value.as_double());
    default:
      throw CaseError("a number is missing in the case");
  }
}

wire::ValueView Seen::lookup(std::string_view path) const {
  std::string_view rest = path;
  const std::string_view root = next_part(rest);
  wire::DocumentView document;
  if (root == "setup") {
    document = at_index(setup, next_part(rest), path);
  } else if (root == "responses") {
    const std::optional<wire::Document>& response = at_index(responses, next_part(rest), path);
    if (!response) throw CaseError("no reply for " + std::string(path));
    document = *response;
  } else if (const auto stream = events.find(next_part(rest)); root == "events" && stream != events.end()) {
    document = at_index(stream->second, next_part(rest), path);
  } else {
    throw CaseError("no such root: " + std::string(path));
  }
  const wire::ValueView value = document.find_path(rest);
  if (!value) throw CaseError("nothing was seen at " + std::string(path));
  return value;
}

wire::Value References::resolve(wire::ValueView value) {
  if (value.is(wire::Type::Document)) {
    if (std::optional<wire::Value> found = referred(value.as_document())) return *std::move(found);
    return wire::Value::document(resolve(value.as_document()));
  }
  if (value.is(wire::Type::Array)) return wire::Value::array(resolve(value.as_document()));
  return value;
}

wire::Document References::resolve(wire::DocumentView document) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : document) out.append(name, resolve(value));
  return out.finish();
}

std::optional<wire::Value> References::referred(wire::DocumentView document) {
  const auto [key, value] = document.first();
  if (!key.starts_with("$$") || document.count() != 1) return std::nullopt;
  if (key == "$$from") return seen_.lookup(value.as_string());
  if (key == "$$newUUID") {
    auto [at, added] = uuids_.try_emplace(std::string(value.as_string()));
    if (added) at->second = wire::Value::binary(4, random_.uuid());
    return at->second;
  }
  if (key == "$$bytes") {
    const std::vector<std::uint8_t> zeros(static_cast<std::size_t>(integer(value)));
    return wire::Value::binary(0, zeros);
  }
  if (key == "$$string") return wire::Value::string(std::string(static_cast<std::size_t>(integer(value)), 'x'));
  if (key == "$$plusSeconds" || key == "$$plusIncrement") return moved(value.as_document(), key);
  return std::nullopt;
}

wire::Value References::moved(wire::DocumentView by, std::string_view key) const {
  const wire::ValueView from = seen_.lookup(by["from"].as_string());
  if (!from.is(wire::Type::Timestamp)) throw CaseError("no timestamp to move");
  wire::Timestamp time = from.as_timestamp();
  std::uint32_t& part = key == "$$plusSeconds" ? time.seconds : time.increment;
  part = static_cast<std::uint32_t>(part + integer(by["n"]));
  return wire::Value::timestamp(time);
}

}  // namespace golden
