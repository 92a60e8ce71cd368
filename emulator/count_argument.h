// The `n` of $firstN and its like, as expressions and as accumulators. Knows neither.
#pragma once

#include <fmt/format.h>

#include "emulator/command_error.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/document.h"

namespace emulator {

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
