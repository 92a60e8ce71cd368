// Values as MongoDB's messages print them, by the dialect of who speaks: queries and updates, or expressions. The texts are wire's.
#pragma once

#include <string>

#include "wire/value_text.h"

namespace emulator {

// `{ a: 1.0, b: [ "x" ] }`, `new Date(5)`: commands, queries, updates.
inline std::string bson_text(wire::ValueView value) { return wire::shell_value_text(value); }
inline std::string bson_text(wire::DocumentView document) { return wire::shell_document_text(document); }
// `name: value`.
inline std::string bson_text(const wire::Element& element) {
  return std::string(element.name) + ": " + wire::shell_value_text(element.value);
}

// `{a: 1, b: ["x"]}`, `1970-01-01T00:00:00.005Z`; the missing value prints as MISSING.
inline std::string expression_text(wire::ValueView value) { return wire::value_text(value); }
inline std::string expression_text(wire::DocumentView document) { return wire::document_text(document); }

}  // namespace emulator
