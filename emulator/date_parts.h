// A date taken apart, in UTC or at a fixed offset from it, and time zones as expressions name them. Knows no expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace emulator {

struct DateParts {
  int year, month, day;  // 1-based
  int hour, minute, second, millisecond;
  int day_of_year;  // 1–366
  int day_of_week;  // 1 Sunday – 7 Saturday
  int week;         // 0–53, weeks begin on Sunday
  int iso_week, iso_week_year;
  int iso_day_of_week;  // 1 Monday – 7 Sunday
};

// A date as a clock at an offset from UTC shows it, also where date and offset together are beyond what a date can be.
struct LocalDate {
  std::int64_t days;       // since 1970-01-01
  std::int64_t ms_of_day;  // 0–86'399'999
};
LocalDate local_date(std::int64_t ms, std::int64_t offset_ms);
// nullopt: there is no such date.
std::optional<std::int64_t> date_ms(const LocalDate& local, std::int64_t offset_ms);

DateParts date_parts(const LocalDate& local);
DateParts date_parts(std::int64_t ms, std::int64_t offset_ms = 0);
// Since 1970-01-01; months beyond the year move the year, days beyond the month the month.
std::int64_t days_from_parts(std::int64_t year, std::int64_t month, std::int64_t day);
// The same of an ISO year, its week and the day of that week.
std::int64_t iso_days_from_parts(std::int64_t year, std::int64_t week, std::int64_t day);

// As $toString; throws 18537 for years of more than four digits.
std::string date_string(std::int64_t ms);
[[noreturn]] void year_out_of_range(int year);
inline bool is_shown_year(int year) { return year >= 0 && year <= 9999; }

// "UTC", "GMT", "+05:30", "-0300", "+02" in milliseconds. Names of regions are not built; anything else: 40485.
std::int64_t zone_offset_ms(std::string_view zone);
// What the `timezone` of an expression was evaluated to: nullopt if it is null or missing, 40517 if it is no string.
std::optional<std::int64_t> zone_argument_ms(wire::ValueView zone);

// Dates, timestamps and object ids.
bool has_date(wire::ValueView value);
// These as milliseconds; 16006 for others.
std::int64_t coerced_date_ms(wire::ValueView value);

}  // namespace emulator
