// The arguments {input, n} of $firstN and its like, as expressions and as accumulators. Knows neither.
#pragma once

#include <fmt/format.h>

#include "emulator/command_error.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/document.h"

namespace emulator {

struct CountedInput {
  wire::ValueView input;
  wire::ValueView count;
};

inline CountedInput counted_input(std::string_view name, wire::ValueView argument) {
  if (!argument.is(wire::Type::Document))
    throw CommandError(
        name == "$minN" || name == "$maxN" ? 5787900 : 5787801,
        fmt::format("specification must be an object; found {}", bson_text(wire::Element{name, argument})));
  CountedInput out;
  for (const auto& [member, value] : argument.as_document()) {
    if (member != "input" && member != "n")
      throw CommandError(5787901, fmt::format("Unknown argument for 'n' operator: {}", member));
    (member == "input" ? out.input : out.count) = value;
  }
  if (out.input.missing()) throw CommandError(5787907, "Missing value for 'input'");
  if (out.count.missing()) throw CommandError(5787906, "Missing value for 'n'");
  return out;
}

// The evaluated `n`.
inline std::size_t checked_count(wire::ValueView n) {
  if (!n.is_number())
    throw CommandError(5787902,
                       fmt::format("Value for 'n' must be of integral type, but found {}", expression_text(n)));
  const std::optional<std::int64_t> count = exact_int64(n);
  if (!count)
    throw CommandError(5787903,
                       fmt::format("Value for 'n' must be of integral type, but found {}", expression_text(n)));
  if (*count <= 0) throw CommandError(5787908, fmt::format("'n' must be greater than 0, found {}", *count));
  return static_cast<std::size_t>(*count);
}

}  // namespace emulator
