// Seeded streams of random values, one per use: same seed, same values, whatever the other uses drew.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace emulator {

using Uuid = std::array<std::uint8_t, 16>;

// splitmix64: small, fast, good enough for identities.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view use);
  std::uint64_t next();
  // In [0, 1).
  double unit();
  Uuid uuid();  // version 4
  std::string bytes(std::size_t count);
  wire::ObjectId object_id(std::uint32_t seconds);
  // Positive and above 2^31, as mongod's cursor ids.
  std::int64_t cursor_id();

 private:
  std::uint64_t state_;
};

}  // namespace emulator
