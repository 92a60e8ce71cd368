#include "emulator/date_parts.h"

#include <fmt/format.h>

#include "emulator/command_error.h"
#include "emulator/conversion.h"
#include "emulator/wide_integer.h"
#include "wire/civil_time.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::day_ms;
using wire::floor_divide;

std::optional<int> digits(std::string_view text) {
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

LocalDate local_date(std::int64_t ms, std::int64_t offset_ms) {
  const WideInteger local = WideInteger{ms} + offset_ms;
  const auto days = static_cast<std::int64_t>(floor_divide(local, day_ms));
  return {days, static_cast<std::int64_t>(local - WideInteger{days} * day_ms)};
}

std::optional<std::int64_t> date_ms(const LocalDate& local, std::int64_t offset_ms) {
  return narrowed(WideInteger{local.days} * day_ms + local.ms_of_day - offset_ms);
}

DateParts date_parts(const LocalDate& local) {
  const auto& [days, ms_of_day] = local;
  const wire::CivilTime date = wire::civil_date(days);
  const wire::CivilTime time = wire::civil_time(ms_of_day);
  DateParts parts{};
  parts.year = date.year;
  parts.month = static_cast<int>(date.month);
  parts.day = static_cast<int>(date.day);
  parts.hour = time.hour;
  parts.minute = time.minute;
  parts.second = time.second;
  parts.millisecond = time.millisecond;
  // 1970-01-01 was a Thursday.
  const std::int64_t weekday = days + 4 - floor_divide(days + 4, 7) * 7;
  parts.day_of_year = static_cast<int>(days - wire::days_to_month(date.year, 1)) + 1;
  parts.day_of_week = static_cast<int>(weekday) + 1;
  parts.iso_day_of_week = weekday == 0 ? 7 : static_cast<int>(weekday);
  parts.week = (parts.day_of_year + 7 - parts.day_of_week) / 7;
  // An ISO week belongs to the year of its Thursday.
  const std::int64_t thursday = days + 4 - parts.iso_day_of_week;
  parts.iso_week_year = wire::civil_date(thursday).year;
  parts.iso_week = static_cast<int>((thursday - wire::days_to_month(parts.iso_week_year, 1)) / 7) + 1;
  return parts;
}

DateParts date_parts(std::int64_t ms, std::int64_t offset_ms) { return date_parts(local_date(ms, offset_ms)); }

std::int64_t days_from_parts(std::int64_t year, std::int64_t month, std::int64_t day) {
  const std::int64_t months = year * 12 + month - 1;
  const std::int64_t its_year = floor_divide(months, 12);
  return wire::days_to_month(its_year, static_cast<unsigned>(months - its_year * 12 + 1)) + day - 1;
}

std::int64_t iso_days_from_parts(std::int64_t year, std::int64_t week, std::int64_t day) {
  // The fourth of January is in the first week.
  const LocalDate fourth{days_from_parts(year, 1, 4), 0};
  const std::int64_t monday = fourth.days - (date_parts(fourth).iso_day_of_week - 1);
  return monday + (week - 1) * 7 + day - 1;
}

void year_out_of_range(int year) {
  throw CommandError(18537, fmt::format("Could not convert date to string: date component was outside the supported "
                                        "range of 0-9999: {}",
                                        year));
}

std::string date_string(std::int64_t ms) {
  if (const int year = wire::civil_time(ms).year; !is_shown_year(year)) year_out_of_range(year);
  return wire::date_text(ms);
}

std::int64_t zone_offset_ms(std::string_view zone) {
  if (zone == "UTC" || zone == "GMT" || zone == "Z" || zone == "Etc/UTC") return 0;
  if (zone.find('/') != std::string_view::npos) not_built(fmt::format("the time zone {}", zone));
  const bool sign = zone.starts_with('+') || zone.starts_with('-');
  const std::string_view rest = zone.substr(sign ? 1 : 0);
  const bool colon = rest.size() == 5 && rest[2] == ':';
  if (sign && (rest.size() == 2 || rest.size() == 4 || colon)) {
    const auto hours = digits(rest.substr(0, 2));
    const auto minutes = rest.size() == 2 ? 0 : digits(rest.substr(colon ? 3 : 2));
    if (hours && minutes) return (zone[0] == '-' ? -1 : 1) * (std::int64_t{*hours} * 60 + *minutes) * 60'000;
  }
  throw CommandError(40485, fmt::format("unrecognized time zone identifier: \"{}\"", zone));
}

std::optional<std::int64_t> zone_argument_ms(wire::ValueView zone) {
  if (zone.is_nullish()) return std::nullopt;
  if (!zone.is(wire::Type::String))
    throw CommandError(40517,
                       fmt::format("timezone must evaluate to a string, found {}", wire::type_name(zone.type())));
  return zone_offset_ms(zone.as_string());
}

bool has_date(wire::ValueView value) {
  using wire::Type;
  return value.is(Type::DateTime) || value.is(Type::Timestamp) || value.is(Type::ObjectId);
}

std::int64_t coerced_date_ms(wire::ValueView value) {
  if (has_date(value)) return convert_to_date(value).view().as_date_ms();
  throw CommandError(16006, fmt::format("can't convert from BSON type {} to Date", wire::type_name(value.type())));
}

}  // namespace emulator
