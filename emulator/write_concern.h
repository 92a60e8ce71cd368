// Write concerns that cannot be met: the error that a reply carries beside its success or its error. Knows no command.
#pragma once

#include <optional>

#include "emulator/context.h"

namespace emulator {

// What is wrong with `w` in this set: more members than bear data (100), or a mode that it does not have (79).
std::optional<CommandError> unsatisfiable(const Deployment& deployment, wire::ValueView w);
// {writeConcernError: …} when the request's `w` asks for more members than there are (100), or for a mode that the set does not have
// (79); else, on a standalone and inside transactions, a default document.
wire::Document write_concern_failure(const Context& context);

}  // namespace emulator
