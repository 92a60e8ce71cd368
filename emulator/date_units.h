// Units of time and days of the week as the date expressions name them. Knows no expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/expression.h"

namespace emulator {

inline constexpr std::int64_t day_ms = 86'400'000;

// So many months, or so many milliseconds.
struct DateUnit {
  std::string_view name;
  std::int64_t months = 0;
  std::int64_t ms = 0;
};
// nullptr: there is no such unit.
const DateUnit* find_date_unit(std::string_view name);
// As $dateDiff and $dateTrunc take it: throws 5439013, 5439014 in the name of the expression.
const DateUnit& checked_unit(std::string_view expression, wire::ValueView unit);
// The `timezone` of $dateDiff and $dateTrunc, whose errors say so; nullopt: it is null.
std::optional<std::int64_t> evaluated_zone_ms(std::string_view expression, const Expression& zone,
                                              Variables& variables);

// 1 Monday – 7 Sunday, from its name or three letters of it in any case; throws 5439015, 5439016 in the name of the expression.
int iso_weekday(std::string_view expression, wire::ValueView day);

// Rounded down, also below zero.
constexpr std::int64_t floor_divide(std::int64_t value, std::int64_t by) {
  return value / by - ((value % by != 0 && value < 0) ? 1 : 0);
}

}  // namespace emulator
