// The weights of characters in ICU's root order, as far as Latin text goes. Knows no collation.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace emulator {

// primary 0: the character counts for nothing.
struct Weight {
  std::uint16_t primary = 0;
  std::uint8_t secondary = 0;  // accents
  std::uint8_t tertiary = 0;   // case, and forms of a letter
};
// One weight, or two for what is two letters (æ, ß). Empty: a character beyond the table.
struct Weights {
  std::array<Weight, 2> weights{};
  std::size_t count = 0;
  bool known = false;
};
Weights weights_of(char32_t character);

}  // namespace emulator
