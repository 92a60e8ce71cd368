// Conversions between types as $convert makes them, with its errors. Knows no expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

// Null and missing must have been dealt with. Throws 241 ConversionFailure.
wire::Value convert(wire::ValueView value, wire::Type to, const Profile& profile);
// The same to a date, which is alike in every build.
wire::Value convert_to_date(wire::ValueView value);
// A number as some expressions read their arguments: its whole part; a decimal is rounded, and the least long if none holds it.
// Throws 31109 for a double that no long holds.
std::int64_t coerced_long(wire::ValueView number);
// "2024-02-29", "2024-02-29T01:02:03.123Z", an offset instead of Z; nullopt: no ISO 8601 date.
std::optional<std::int64_t> parse_date(std::string_view text);

}  // namespace emulator
