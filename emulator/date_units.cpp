#include "emulator/date_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulator/command_error.h"
#include "emulator/date_parts.h"
#include "emulator/utf8_text.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

// The days that 64 bits of milliseconds are, and the years of 365 days that these are, both rounded up.
constexpr std::int64_t days_bound = 213'503'982'335;
constexpr std::int64_t years_bound = 584'942'418;

constexpr std::array<DateUnit, 9> units{{{"year", 12, 0, years_bound},
                                         {"quarter", 3, 0, years_bound * 4},
                                         {"month", 1, 0, years_bound * 12},
                                         {"week", 0, 7 * day_ms, days_bound / 7},
                                         {"day", 0, day_ms, days_bound},
                                         {"hour", 0, 3'600'000, days_bound * 24},
                                         {"minute", 0, 60'000, days_bound * 24 * 60},
                                         {"second", 0, 1000, days_bound * 24 * 3600},
                                         {"millisecond", 0, 1}}};

constexpr std::string_view weekdays[] = {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};

// The same day of another month, or that month's last.
std::int64_t add_months(std::int64_t days, std::int64_t months) {
  const wire::CivilTime date = wire::civil_date(days);
  const std::int64_t first = days_from_parts(date.year, date.month + months, 1);
  const std::int64_t next_first = days_from_parts(date.year, date.month + months + 1, 1);
  return std::min(first + date.day - 1, next_first - 1);
}

std::optional<std::int64_t> sum(std::int64_t ms, std::int64_t amount, const DateUnit& unit, std::int64_t offset_ms) {
  // mongod takes a second off what is no whole second before 1970.
  const std::int64_t lost_ms = unit.ms != 1 && ms < 0 && ms % 1000 != 0 ? 1000 : 0;
  if (unit.months == 0 && unit.ms < day_ms) return narrowed(WideInteger{ms} - lost_ms + WideInteger{amount} * unit.ms);
  LocalDate local = local_date(ms, offset_ms - lost_ms);
  local.days =
      unit.months != 0 ? add_months(local.days, amount * unit.months) : local.days + amount * (unit.ms / day_ms);
  return date_ms(local, offset_ms);
}

}  // namespace

const DateUnit* find_date_unit(std::string_view name) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const DateUnit& unit) { return unit.name == name; });
  return found == units.end() ? nullptr : &*found;
}

std::int64_t date_plus(std::int64_t ms, std::int64_t amount, const DateUnit& unit, std::int64_t offset_ms) {
  if (unit.amount_bound != 0 && (amount <= -unit.amount_bound || amount >= unit.amount_bound))
    throw CommandError(5976500, fmt::format("invalid dateAdd 'amount' parameter value: {} {}", amount, unit.name));
  if (const std::optional<std::int64_t> later = sum(ms, amount, unit, offset_ms)) return *later;
  if (unit.ms == 1) duration_overflow(ms, amount, "ms");
  throw CommandError(5166406, "dateAdd overflowed");
}

void duration_overflow(std::int64_t duration, std::int64_t added, std::string_view unit) {
  throw CommandError(159, fmt::format("Overflow while adding {}{} to {}{}", added, unit,
                                      wrapped(WideInteger{duration} + added), unit));
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
