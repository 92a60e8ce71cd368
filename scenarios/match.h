// Whether a value is as a script expects it: documents by their named fields, arrays element by element, $$matchers.
#pragma once

#include <optional>
#include <string>

#include "scenarios/names.h"
#include "scenarios/node.h"
#include "scenarios/reader.h"
#include "wire/document.h"

namespace scenarios {

// Where a value differs first.
struct Mismatch {
  std::string path;      // "cursor.nextBatch.0.splitEvent"; empty: the value itself
  std::string expected;  // as the script has it
  std::string actual;    // relaxed Extended JSON, or "missing"
};

// Notes unknown matchers, wrong arguments, names that are not set.
void check_matcher(Reader& reader, const Node& expected);
// nullopt: it matches. A name that is not set matches nothing.
std::optional<Mismatch> mismatch(const Node& expected, wire::ValueView actual, const Names& names);

// How tokens, times and numbers are ordered; nullopt: these two are not.
std::optional<std::weak_ordering> ordered(wire::ValueView left, wire::ValueView right);
// Equal by value; tokens by `_data`, whatever its letter case and type bits.
bool same_value(wire::ValueView expected, wire::ValueView actual);

}  // namespace scenarios
