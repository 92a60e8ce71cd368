#include "emulator/date_parts.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "emulator/command_error.h"
#include "emulator/conversion.h"

namespace emulator {
namespace {

std::optional<int> digits(std::string_view text) {
  int number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

DateParts date_parts(std::int64_t ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(ms)};
  const sys_days midnight = floor<days>(at);
  const year_month_day date{midnight};
  const hh_mm_ss time{at - midnight};
  const weekday day_name{midnight};
  DateParts parts{};
  parts.year = static_cast<int>(date.year());
  parts.month = static_cast<int>(static_cast<unsigned>(date.month()));
  parts.day = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.hour = static_cast<int>(time.hours().count());
  parts.minute = static_cast<int>(time.minutes().count());
  parts.second = static_cast<int>(time.seconds().count());
  parts.millisecond = static_cast<int>(time.subseconds().count());
  parts.day_of_year = static_cast<int>((midnight - sys_days(date.year() / January / 1)).count()) + 1;
  parts.day_of_week = static_cast<int>(day_name.c_encoding()) + 1;
  parts.iso_day_of_week = static_cast<int>(day_name.iso_encoding());
  parts.week = (parts.day_of_year + 7 - parts.day_of_week) / 7;
  // An ISO week belongs to the year of its Thursday.
  const sys_days thursday = midnight + days(4 - parts.iso_day_of_week);
  const year thursday_year = year_month_day(thursday).year();
  parts.iso_week_year = static_cast<int>(thursday_year);
  parts.iso_week = static_cast<int>((thursday - sys_days(thursday_year / January / 1)).count()) / 7 + 1;
  return parts;
}

std::int64_t date_from_parts(std::int64_t year, std::int64_t month, std::int64_t day, std::int64_t ms_of_day) {
  using namespace std::chrono;
  // Months beyond the year move the year, days beyond the month the month.
  std::int64_t months = year * 12 + month - 1;
  const std::int64_t its_year = months >= 0 ? months / 12 : (months - 11) / 12;
  months -= its_year * 12;
  const sys_days first{std::chrono::year(static_cast<int>(its_year)) /
                       std::chrono::month(static_cast<unsigned>(months + 1)) / 1};
  return duration_cast<milliseconds>((first + days(day - 1)).time_since_epoch()).count() + ms_of_day;
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

std::int64_t coerced_date_ms(wire::ValueView value) {
  using wire::Type;
  if (value.is(Type::DateTime) || value.is(Type::Timestamp) || value.is(Type::ObjectId))
    return convert_to_date(value).view().as_date_ms();
  throw CommandError(16006, fmt::format("can't convert from BSON type {} to Date", wire::type_name(value.type())));
}

}  // namespace emulator
