// Arithmetic of 64-bit integers whose result may not fit: refused by the caller, or wrapped where mongod wraps. Knows no values.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace emulator {

// Holds every sum and product of two 64-bit integers.
__extension__ typedef __int128 WideInteger;

constexpr std::optional<std::int64_t> narrowed(WideInteger value) {
  if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max())
    return std::nullopt;
  return static_cast<std::int64_t>(value);
}

// The lower 64 bits.
constexpr std::int64_t wrapped(WideInteger value) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
}

}  // namespace emulator
