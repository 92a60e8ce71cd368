// Dotted paths of updates, taken apart and checked. Knows no documents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace emulator {

using UpdatePath = std::vector<std::string_view>;

// The components. Throws CommandError 56 for an empty path or component.
UpdatePath split_update_path(std::string_view dotted);
std::string join_path(const UpdatePath& path, std::size_t count);
inline std::string join_path(const UpdatePath& path) { return join_path(path, path.size()); }

// "$": the element that the query matched.
inline bool is_positional(std::string_view component) { return component == "$"; }
// "$[]" or "$[id]": the elements of an array filter.
inline bool is_array_filter(std::string_view component) {
  return component.starts_with("$[") && component.ends_with(']');
}
// The id; empty for "$[]".
inline std::string_view array_filter_id(std::string_view component) {
  return component.substr(2, component.size() - 3);
}

// The order in which fields of one level are updated: by bytes, but numbers by value (cmpPathsAndArrayIndexes) from 5.0 on.
enum class NumericFields : std::uint8_t { ByValue, ByBytes };
struct UpdateOrder {
  NumericFields numeric_fields = NumericFields::ByValue;
  bool operator()(std::string_view left, std::string_view right) const;
};

}  // namespace emulator
