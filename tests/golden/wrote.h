// Whether a command changed anything, by its reply: only then is its operationTime the time of a write.
#pragma once

#include "wire/document.h"

namespace golden {

bool wrote(wire::DocumentView command, wire::DocumentView reply);

// Whether a reply says ok: 1.
bool is_ok(wire::DocumentView reply);

// Python's truth of a number: neither missing nor zero.
bool is_nonzero(wire::ValueView value);

}  // namespace golden
