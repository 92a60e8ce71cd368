// The standard deviation of numbers as they come (Welford's method, doubles), as mongod's $stdDevPop and $stdDevSamp. Knows neither.
#pragma once

#include <cmath>
#include <cstdint>

#include "emulator/number.h"
#include "wire/document.h"

namespace emulator {

class StandardDeviation {
 public:
  // Ignores what is no number.
  void add(wire::ValueView value) {
    if (!value.is_number()) return;
    const double number = to_double(value);
    ++count_;
    const double away = number - mean_;
    mean_ += away / static_cast<double>(count_);
    squares_ += away * (number - mean_);
  }
  wire::Value population() const { return over(count_); }
  wire::Value sample() const { return over(count_ - 1); }

 private:
  wire::Value over(std::int64_t divisor) const {
    return divisor < 1 ? wire::Value::null() : wire::Value::number(std::sqrt(squares_ / static_cast<double>(divisor)));
  }
  std::int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

}  // namespace emulator
