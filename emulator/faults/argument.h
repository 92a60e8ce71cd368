// How a fault's argument is read: words with their types, each mistake one sentence. Knows no fault.
#pragma once

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/faults/table.h"

namespace emulator {

// The argument's document; throws if it is none, or has a field that is not among `fields`.
wire::DocumentView argument_document(wire::ValueView argument, std::initializer_list<std::string_view> fields);
// "arrival", "reply" or "end"; throws on other words.
Moment argument_moment(wire::ValueView value, std::string_view field);
// "200ms", "30s", "10m", "2h" or whole milliseconds, not negative.
std::chrono::nanoseconds argument_duration(wire::ValueView value, std::string_view field);
// A whole number, not negative.
std::int64_t argument_count(wire::ValueView value, std::string_view field);
std::string argument_string(wire::ValueView value, std::string_view field);
// Throws unless no argument was given.
void argument_none(wire::ValueView argument);
// nullopt or one of the two; throws otherwise.
Moment moment_among(std::optional<Moment> at, Moment standard, std::initializer_list<Moment> possible);

// "200ms" → 200'000'000 ns; nullopt if the text is no duration.
std::optional<std::chrono::nanoseconds> parse_duration(std::string_view text);

}  // namespace emulator
