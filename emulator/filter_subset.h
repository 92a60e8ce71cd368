// Whether a query asks only for documents that a partial index has. Knows no index.
#pragma once

#include "wire/document.h"

namespace emulator {

// Whether every document that `query` matches matches `filter` too, as far as the forms of the two show it: mongod asks the same
// (expression::isSubsetOf) of comparisons, $exists: true and their conjunctions, and takes no index where it cannot tell.
bool is_subset_of(wire::DocumentView query, wire::DocumentView filter);

}  // namespace emulator
