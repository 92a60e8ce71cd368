#include "emulator/date_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/command_error.h"
#include "emulator/date_parts.h"
#include "emulator/utf8_text.h"

namespace emulator {
namespace {

constexpr std::array<DateUnit, 9> units{{{"year", 12, 0},
                                         {"quarter", 3, 0},
                                         {"month", 1, 0},
                                         {"week", 0, 7 * day_ms},
                                         {"day", 0, day_ms},
                                         {"hour", 0, 3'600'000},
                                         {"minute", 0, 60'000},
                                         {"second", 0, 1000},
                                         {"millisecond", 0, 1}}};

constexpr std::string_view weekdays[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

}  // namespace

const DateUnit* find_date_unit(std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const DateUnit& unit) { return unit.name == name; });
  return found == units.end() ? nullptr : &*found;
}

const DateUnit& checked_unit(std::string_view expression, wire::ValueView unit) {
  if (!unit.is(wire::Type::String))
    throw CommandError(5439013, fmt::format("{} requires 'unit' to be a string, but got {}", expression,
                                            wire::type_name(unit.type())));
  const DateUnit* found = find_date_unit(unit.as_string());
  if (found == nullptr)
    throw CommandError(5439014, fmt::format("{} parameter 'unit' value cannot be recognized as a time unit: {}",
                                            expression, unit.as_string()));
  return *found;
}

std::optional<std::int64_t> evaluated_zone_ms(std::string_view expression, const Expression& zone,
                                              Variables& variables) {
  try {
    return zone_argument_ms(zone.evaluate(variables));
  } catch (CommandError& error) {
    error.message =
        fmt::format("{} parameter 'timezone' value parsing failed :: caused by :: {}", expression, error.message);
    throw;
  }
}

int iso_weekday(std::string_view expression, wire::ValueView day) {
  if (!day.is(wire::Type::String))
    throw CommandError(5439015, fmt::format("{} requires 'startOfWeek' to be a string, but got {}", expression,
                                            wire::type_name(day.type())));
  const std::string text = lower_text(day.as_string());
  for (int i = 0; i < 7; ++i)
    if (text == weekdays[i] || text == weekdays[i].substr(0, 3)) return i + 1;
  throw CommandError(
      5439016, fmt::format("{} parameter 'startOfWeek' value cannot be recognized as a day of a week: {}", expression,
                           day.as_string()));
}

}  // namespace emulator
