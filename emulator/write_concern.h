// Write concerns that cannot be met: the error that a reply carries beside its success. Knows no command.
#pragma once

#include <optional>

#include "emulator/context.h"

namespace emulator {

// What is wrong with `w` in this set: more members than bear data (100), or a mode that it does not have (79).
std::optional<CommandError> unsatisfiable(const Deployment& deployment, wire::ValueView w);
// Appends writeConcernError to the reply when the request's `w` asks for more members than there are (100), or for a mode that
// the set does not have (79). Nothing on a standalone and inside transactions.
void append_write_concern_error(Context& context);

}  // namespace emulator
