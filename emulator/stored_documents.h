// What a read of a namespace sees, whatever stands behind it: a collection, a view, or the oplog.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/context.h"

namespace emulator {

// The documents in natural order; none for a collection that does not exist. A view's pipeline is run.
std::vector<wire::Document> stored_documents(Context& context, std::string_view db, std::string_view collection);

}  // namespace emulator
