// Base64 (RFC 4648, with padding) both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wire {

std::string to_base64(std::span<const std::uint8_t> bytes);
// Missing padding is forgiven; nullopt: any other flaw.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace wire
