// What runs, as currentOp and $currentOp show it. Knows neither.
#pragma once

#include <vector>

#include "emulator/context.h"

namespace emulator {

// The getMores that wait, by opid.
std::vector<wire::Document> waiting_operations(const Context& context);
// The command itself.
wire::Document this_operation(const Context& context);

}  // namespace emulator
