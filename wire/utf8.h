// UTF-8: what is valid, and code points as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wire {

// The index of the first byte that is not part of a valid sequence (RFC 3629: no surrogates, nothing too long); npos: all is valid.
std::size_t invalid_utf8_at(std::string_view text);
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace wire
