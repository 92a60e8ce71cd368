#include "emulator/random.h"

#include <algorithm>
#include <cstring>

namespace emulator {

RandomStream::RandomStream(std::uint64_t seed, std::string_view use) : state_(seed ^ 0x9E3779B97F4A7C15U) {
  for (const char c : use) {
    state_ = (state_ ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
    next();
  }
}

std::uint64_t RandomStream::next() {
  std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

double RandomStream::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

Uuid RandomStream::uuid() {
  Uuid out{};
  for (std::size_t at = 0; at < out.size(); at += 8) {
    const std::uint64_t bits = next();
    std::memcpy(out.data() + at, &bits, 8);
  }
  out[6] = static_cast<std::uint8_t>((out[6] & 0x0F) | 0x40);
  out[8] = static_cast<std::uint8_t>((out[8] & 0x3F) | 0x80);
  return out;
}

std::string RandomStream::bytes(std::size_t count) {
  std::string out;
  while (out.size() < count) {
    const std::uint64_t bits = next();
    out.append(reinterpret_cast<const char*>(&bits), std::min(sizeof bits, count - out.size()));
  }
  return out;
}

wire::ObjectId RandomStream::object_id(std::uint32_t seconds) {
  wire::ObjectId id;
  const std::uint64_t bits = next();
  for (std::size_t i = 0; i < 4; ++i) id.bytes[i] = static_cast<std::uint8_t>(seconds >> (24 - 8 * i));
  std::memcpy(id.bytes.data() + 4, &bits, 8);
  return id;
}

std::int64_t RandomStream::cursor_id() { return static_cast<std::int64_t>((next() >> 1) | (std::uint64_t{1} << 60)); }

}  // namespace emulator
