// The arrayFilters of an update, by the id that "$[id]" names. Knows no updates.
#pragma once

#include "emulator/expression.h"
#include "emulator/update_apply.h"

namespace emulator {

// `filters` is the command's array, as a document; it must outlive the ids. Throws CommandError (2, 9, and the filters' own).
ArrayFilters parse_array_filters(wire::DocumentView filters, const ParseContext& context);

}  // namespace emulator
