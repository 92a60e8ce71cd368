// Bytes as hexadecimal digits and back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wire {

// Two upper-case digits a byte, written to `out`; returns the end.
char* write_hex(char* out, std::span<const std::uint8_t> bytes);
std::string to_hex(std::span<const std::uint8_t> bytes);
std::string to_hex_lower(std::span<const std::uint8_t> bytes);
// Digits of either case; nullopt: something else, or an odd number of them.
std::optional<std::string> from_hex(std::string_view digits);

}  // namespace wire
