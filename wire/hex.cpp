#include "wire/hex.h"

#include <array>
#include <cstring>

namespace wire {
namespace {

using Pair = std::array<char, 2>;

constexpr std::array<Pair, 256> pairs_of(const char* digits) {
  std::array<Pair, 256> pairs{};
  for (unsigned byte = 0; byte < pairs.size(); ++byte) pairs[byte] = {digits[byte >> 4], digits[byte & 15]};
  return pairs;
}

constexpr auto upper_pairs = pairs_of("0123456789ABCDEF");
constexpr auto lower_pairs = pairs_of("0123456789abcdef");

char* write(char* out, std::span<const std::uint8_t> bytes, const std::array<Pair, 256>& pairs) {
  for (const std::uint8_t byte : bytes) {
    std::memcpy(out, pairs[byte].data(), 2);
    out += 2;
  }
  return out;
}

int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

char* write_hex(char* out, std::span<const std::uint8_t> bytes) { return write(out, bytes, upper_pairs); }

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string out(bytes.size() * 2, '\0');
  write(out.data(), bytes, upper_pairs);
  return out;
}

std::string to_hex_lower(std::span<const std::uint8_t> bytes) {
  std::string out(bytes.size() * 2, '\0');
  write(out.data(), bytes, lower_pairs);
  return out;
}

std::optional<std::string> from_hex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes(digits.size() / 2, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = digit_value(digits[2 * i]);
    const int low = digit_value(digits[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<char>(high << 4 | low);
  }
  return bytes;
}

}  // namespace wire
