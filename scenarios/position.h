// Where in a file something stands, and what is wrong there.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios {

// Counted from 1; 0: unknown.
struct Position {
  int line = 0;
  int column = 0;
  auto operator<=>(const Position&) const = default;
};

struct Problem {
  Position at;
  std::string sentence;
  auto operator<=>(const Problem&) const = default;
};

// "file:12:7: sentence"
std::string render(std::string_view file, const Problem& problem);

}  // namespace scenarios
