// "a.b.c" taken apart. Knows no rules of what a path may be.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

namespace emulator {

// The steps, which view the path; one between any two dots, and before the first and behind the last, empty or not.
inline std::vector<std::string_view> dotted_steps(std::string_view path) {
  std::vector<std::string_view> steps;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    steps.push_back(path.substr(from, dot - from));
    from = dot + 1;
  }
  return steps;
}

}  // namespace emulator
