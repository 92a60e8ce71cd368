// What a pipeline asks of its user's roles: which collections it reads and writes, which lists of the server it looks into.
#pragma once

#include "emulator/context.h"

namespace emulator {

// The rule of commands that run a pipeline on what their own field names; 1 stands for the database.
bool may_run_pipeline(const Context& context, const Request& request);

}  // namespace emulator
