// A UUID as people read it: "0e7c4f5a-…", in five groups of hexadecimal digits.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>

namespace emulator {

inline std::string uuid_text(std::span<const std::uint8_t> bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += fmt::format("{:02x}", bytes[i]);
  }
  return out;
}

}  // namespace emulator
