// Units of time and days of the week as the date expressions name them. Knows no expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/expression.h"
#include "wire/civil_time.h"

namespace emulator {

using wire::day_ms;

// So many months, or so many milliseconds.
struct DateUnit {
  std::string_view name;
  std::int64_t months = 0;
  std::int64_t ms = 0;
  // Fewer of them are in all the time that dates can tell; 0: there is no such bound.
  std::int64_t amount_bound = 0;
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

// So many units later, by the calendar at the offset where the unit is a day or more: a month ends with its last day at the latest.
// Throws 5976500, 5166406, 159 in the name of $dateAdd, as mongod does for all that add.
std::int64_t date_plus(std::int64_t ms, std::int64_t amount, const DateUnit& unit, std::int64_t offset_ms);
// Throws 159: what mongod prints as the duration that was added to is the sum that overflowed.
[[noreturn]] void duration_overflow(std::int64_t duration, std::int64_t added, std::string_view unit);

}  // namespace emulator
