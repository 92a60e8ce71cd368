// Milliseconds since 1970 as a date and a time of day in UTC, both ways; the Gregorian calendar at all times. Knows no time zones.
#pragma once

#include <chrono>
#include <cstdint>

namespace wire {

struct CivilTime {
  int year = 1970;
  unsigned month = 1;
  unsigned day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
};

inline constexpr std::int64_t day_ms = 86'400'000;

// Rounded down, also below zero.
template <class Integer>
constexpr Integer floor_divide(Integer value, std::int64_t by) {
  return value / by - ((value % by != 0 && value < 0) ? 1 : 0);
}

// The calendar repeats itself after an era; std::chrono's years are far fewer than those of a date.
inline constexpr std::int64_t era_years = 400;
inline constexpr std::int64_t era_days = 146'097;

// From 1970 to the first of a month, in any year whose days fit.
inline std::int64_t days_to_month(std::int64_t year, unsigned month) {
  const std::int64_t eras = floor_divide(year, era_years);
  const std::chrono::sys_days first{std::chrono::year{static_cast<int>(year - eras * era_years)} /
                                    std::chrono::month{month} / 1};
  return first.time_since_epoch().count() + eras * era_days;
}

// The date, at midnight, of a day that is counted from 1970.
inline CivilTime civil_date(std::int64_t days) {
  const std::int64_t eras = floor_divide(days, era_days);
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days - eras * era_days}}};
  CivilTime time;
  time.year = static_cast<int>(static_cast<int>(date.year()) + eras * era_years);
  time.month = static_cast<unsigned>(date.month());
  time.day = static_cast<unsigned>(date.day());
  return time;
}

inline CivilTime civil_time(std::int64_t ms) {
  const std::int64_t days = floor_divide(ms, day_ms);
  const std::int64_t rest = (ms % day_ms + day_ms) % day_ms;
  CivilTime time = civil_date(days);
  time.millisecond = static_cast<int>(rest % 1000);
  time.second = static_cast<int>(rest / 1000 % 60);
  time.minute = static_cast<int>(rest / 60'000 % 60);
  time.hour = static_cast<int>(rest / 3'600'000);
  return time;
}

// Of a year with at most five digits.
inline std::int64_t milliseconds_of(const CivilTime& time) {
  return (days_to_month(time.year, time.month) + time.day - 1) * day_ms + time.hour * std::int64_t{3'600'000} +
         time.minute * 60'000 + time.second * 1000 + time.millisecond;
}

inline bool is_date(const CivilTime& time) {
  return (std::chrono::year{time.year} / std::chrono::month{time.month} / std::chrono::day{time.day}).ok();
}

}  // namespace wire
