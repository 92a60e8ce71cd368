#include "wire/base64.h"

namespace wire {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int sextet_of(char letter) {
  const std::size_t at = alphabet.find(letter);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = bytes.size() - at < 3 ? bytes.size() - at : 3;
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[at + i] : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= count ? alphabet[(group >> (18 - 6 * i)) & 0x3F] : '=';
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t group = 0;
  unsigned bits = 0;
  for (const char letter : text) {
    const int sextet = sextet_of(letter);
    if (sextet < 0) return std::nullopt;
    group = (group << 6 | static_cast<std::uint32_t>(sextet)) & 0xFFFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(group >> bits);
  }
  return out;
}

}  // namespace wire
