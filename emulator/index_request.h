// Index specifications as createIndexes takes them: checked, and as the catalog keeps them.
#pragma once

#include <vector>

#include "emulator/context.h"
#include "emulator/store/collection.h"

namespace emulator {

// The spec as listIndexes shows it, `v` first. Throws CommandError as mongod does.
IndexSpec read_index_spec(const Context& context, wire::DocumentView given);
// Whether the collection has this very index already. Throws 85 and 86 for one that stands in its way.
bool has_index(const Collection& collection, const IndexSpec& spec);

}  // namespace emulator
