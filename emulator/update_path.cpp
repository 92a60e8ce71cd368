#include "emulator/update_path.h"

#include <algorithm>

#include "emulator/command_error.h"
#include "emulator/dotted_path.h"

namespace emulator {
namespace {

// FieldRef counts its parts in a byte: of 256 it sees none, and says so. What follows is deeper than any document.
constexpr std::size_t update_path_steps_max = 255;

bool is_strictly_numeric(std::string_view text) {
  return !text.empty() && (text.size() == 1 || text[0] != '0') &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

UpdatePath split_update_path(std::string_view dotted) {
  if (dotted.empty()) throw CommandError(56, "An empty update path is not valid.");
  UpdatePath path = dotted_steps(dotted);
  if (std::ranges::find(path, std::string_view()) != path.end())
    throw CommandError(
        56, "The update path '" + std::string(dotted) + "' contains an empty field name, which is not allowed.");
  if (path.size() > update_path_steps_max) throw CommandError(56, "An empty update path is not valid.");
  return path;
}

std::string join_path(const UpdatePath& path, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text.append(i == 0 ? "" : ".").append(path[i]);
  return text;
}

bool UpdateOrder::operator()(std::string_view left, std::string_view right) const {
  if (numeric_fields == NumericFields::ByValue && left.size() != right.size() && is_strictly_numeric(left) &&
      is_strictly_numeric(right))
    return left.size() < right.size();
  return left < right;
}

}  // namespace emulator
