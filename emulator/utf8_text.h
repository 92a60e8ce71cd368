// UTF-8 text by code points, and values as the text that string operators make of them. Knows no operators.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace emulator {

inline bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }
std::size_t code_point_count(std::string_view text);
// The offset in bytes of a code point's beginning; the text's size when it has fewer.
std::size_t offset_of_code_point(std::string_view text, std::size_t index);
// The bytes of the code point that begins there.
std::size_t code_point_bytes(std::string_view text, std::size_t offset);

// ASCII letters only, as mongod.
std::string lower_text(std::string_view text);
std::string upper_text(std::string_view text);

// Numbers, timestamps, symbols and code as strings; nothing for null and missing; 16007 for anything else.
std::string coerced_text(wire::ValueView value);

}  // namespace emulator
