// Two documents: a diff made of them leads from one to the other; as a diff, the second never breaks what reads it.
#include <cstdlib>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "emulator/command_error.h"
#include "emulator/diff.h"
#include "emulator/update_description.h"

namespace {

using wire::DocumentView;
using wire::Type;

std::optional<DocumentView> next_document(std::span<const std::uint8_t>& bytes) {
  std::size_t size_bytes = 0;
  if (wire::check_document(bytes, &size_bytes)) return std::nullopt;
  DocumentView document(bytes.data());
  bytes = bytes.subspan(size_bytes);
  return document;
}

// A diff tells fields apart by name, and elements of arrays by place: only then does it lead to the same bytes.
bool is_regular(DocumentView document, Type type) {
  std::set<std::string_view> names;
  for (const auto& [name, value] : document) {
    if (type == Type::Array && name != std::to_string(names.size())) return false;
    if (!names.insert(name).second) return false;
    if ((value.is(Type::Document) || value.is(Type::Array)) && !is_regular(value.as_document(), value.type()))
      return false;
  }
  return true;
}

void read_as_diff(DocumentView pre, DocumentView diff) {
  try {
    emulator::apply_diff(pre, diff);
  } catch (const emulator::CommandError&) {
  }
  try {
    wire::DocumentBuilder out;
    emulator::append_update_description("updateDescription", diff, emulator::DisambiguatedPaths::Yes, out);
  } catch (const emulator::CommandError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::uint8_t> bytes(data, size);
  std::optional<DocumentView> pre = next_document(bytes);
  std::optional<DocumentView> post = pre ? next_document(bytes) : std::nullopt;
  if (!post) return 0;
  read_as_diff(*pre, *post);
  std::optional<wire::Document> diff = emulator::compute_diff(*pre, *post);
  if (!diff || !is_regular(*pre, Type::Document) || !is_regular(*post, Type::Document)) return 0;
  if (!emulator::apply_diff(*pre, *diff).view().identical(*post)) std::abort();
  return 0;
}
