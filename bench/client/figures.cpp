#include "bench/client/figures.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace bench {

void print(std::string_view name, double value, int decimals) {
  std::printf("%.*s %.*f\n", static_cast<int>(name.size()), name.data(), decimals, value);
  std::fflush(stdout);
}

void RoundTrips::print_as(std::string_view name) {
  if (microseconds_.empty()) throw std::logic_error("no round trip was measured");
  std::sort(microseconds_.begin(), microseconds_.end());
  const std::size_t count = microseconds_.size();
  print(std::string(name) + "_p50_us", microseconds_[count / 2], 1);
  print(std::string(name) + "_p99_us", microseconds_[count * 99 / 100], 1);
}

}  // namespace bench
