// The Stable API: apiVersion, apiStrict and apiDeprecationErrors of a command. Knows no command.
#pragma once

#include "emulator/commands/table.h"
#include "emulator/request.h"

namespace emulator {

// Throws as mongod: 14 for wrong types, 4886600, 322 for another version than 1, 323 for what is not in it.
void check_api_version(const Request& request, const CommandSpec& command);
bool is_api_strict(const Request& request);

}  // namespace emulator
