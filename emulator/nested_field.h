// One field of a document, deep in it, replaced or taken out: what $unwind and $lookup do. Knows no stage.
#pragma once

#include <span>
#include <string>

#include "wire/document.h"

namespace emulator {

// The document with the value at the path; a missing value takes the field out. What is no document on the way becomes one.
wire::Document with_nested_field(wire::DocumentView document, std::span<const std::string> steps,
                                 wire::ValueView value);

}  // namespace emulator
