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

// Years beyond ±32767 do not fit: they are clamped there, so callers compare the year with their own bounds.
inline CivilTime civil_time(std::int64_t ms) {
  std::int64_t days = ms / day_ms;
  std::int64_t rest = ms % day_ms;
  if (rest < 0) {
    rest += day_ms;
    --days;
  }
  constexpr std::int64_t days_max = 10'000'000;
  CivilTime time;
  if (days > days_max || days < -days_max) {
    time.year = days > 0 ? 32767 : -32767;
  } else {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{days}}};
    time.year = static_cast<int>(date.year());
    time.month = static_cast<unsigned>(date.month());
    time.day = static_cast<unsigned>(date.day());
  }
  time.millisecond = static_cast<int>(rest % 1000);
  time.second = static_cast<int>(rest / 1000 % 60);
  time.minute = static_cast<int>(rest / 60'000 % 60);
  time.hour = static_cast<int>(rest / 3'600'000);
  return time;
}

inline std::int64_t milliseconds_of(const CivilTime& time) {
  const std::chrono::sys_days days{std::chrono::year{time.year} / std::chrono::month{time.month} /
                                   std::chrono::day{time.day}};
  return days.time_since_epoch().count() * day_ms + time.hour * std::int64_t{3'600'000} + time.minute * 60'000 +
         time.second * 1000 + time.millisecond;
}

inline bool is_date(const CivilTime& time) {
  return (std::chrono::year{time.year} / std::chrono::month{time.month} / std::chrono::day{time.day}).ok();
}

}  // namespace wire
