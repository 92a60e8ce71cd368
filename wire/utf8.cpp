#include "wire/utf8.h"

namespace wire {
namespace {

// The length of the valid sequence at the start of `text`, which is not empty; 0: there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const std::uint8_t second = byte(1);
  if (lead == 0xE0 && second < 0xA0) return 0;   // overlong
  if (lead == 0xED && second >= 0xA0) return 0;  // surrogate
  if (lead == 0xF0 && second < 0x90) return 0;   // overlong
  if (lead == 0xF4 && second >= 0x90) return 0;  // above U+10FFFF
  return length;
}

}  // namespace

std::size_t invalid_utf8_at(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  const auto put_tail = [&](unsigned shift) { put(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    put(0xE0 | code_point >> 12);
    put_tail(6);
  } else {
    put(0xF0 | code_point >> 18);
    put_tail(12);
    put_tail(6);
  }
  put_tail(0);
}

}  // namespace wire
