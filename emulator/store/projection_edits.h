// What find's projections do to the arrays that are left: $slice and the positional `$`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/store/matcher.h"
#include "wire/document.h"

namespace emulator {

struct SliceEdit {
  std::string path;
  std::optional<std::int64_t> skip;  // negative: from the end
  std::int64_t limit = 0;            // without skip, negative: the last
};
// The slice of `$slice: 2` or `$slice: [1, 2]`; nullopt with the refusal's text when it is neither.
std::optional<SliceEdit> slice_edit(wire::ValueView argument, const std::string& path, std::string& refusal);

struct ProjectionEdits {
  std::vector<SliceEdit> slices;
  std::optional<std::string> positional;
  bool empty() const { return slices.empty() && !positional; }
  // `out` is what the projection left of `document`.
  wire::Document apply(const wire::Document& out, const wire::Document& document, const Matcher* filter) const;
};

}  // namespace emulator
