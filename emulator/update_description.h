// What an oplog entry says of an update as a change event tells it: updateDescription. Knows nothing of the event around it.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/document.h"

namespace emulator {

// From 6.1 on, in streams with showExpandedEvents.
enum class DisambiguatedPaths : std::uint8_t { No, Yes };

// Appends the document `name`: {updatedFields, removedFields, truncatedArrays[, disambiguatedPaths]}. At each object level first updated,
// then inserted fields, then removed ones, then the levels below; at each array level the new length, then elements by index.
// Paths are joined by dots. A path is ambiguous when a component holds a dot, or is a number and not the first; its components
// are listed then, array indexes as int32. Throws CommandError 9 when `diff` is no difference.
void append_update_description(std::string_view name, wire::DocumentView diff, DisambiguatedPaths disambiguated,
                               wire::DocumentBuilder& out);

// Of an entry up to 4.4, {$v: 1, $set: …, $unset: …}: {updatedFields, removedFields}, its paths as they are.
void append_update_description(std::string_view name, wire::DocumentView set_and_unset, wire::DocumentBuilder& out);

}  // namespace emulator
