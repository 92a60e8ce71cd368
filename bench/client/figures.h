// What a benchmark prints: `name value`, one a line. Knows no benchmark.
#pragma once

#include <chrono>
#include <string_view>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

inline Seconds since(Clock::time_point began) { return Clock::now() - began; }

void print(std::string_view name, double value, int decimals = 0);

// Durations of one kind of round trip.
class RoundTrips {
 public:
  explicit RoundTrips(std::size_t count) { microseconds_.reserve(count); }
  void add(Clock::duration duration) {
    microseconds_.push_back(std::chrono::duration<double, std::micro>(duration).count());
  }
  // `<name>_p50_us` and `<name>_p99_us`.
  void print_as(std::string_view name);

 private:
  std::vector<double> microseconds_;
};

}  // namespace bench
