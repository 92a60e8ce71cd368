// What explains of all commands share. Knows no command.
#pragma once

#include "emulator/context.h"
#include "emulator/query_plan.h"

namespace emulator {

// The collection that an explained command names; throws 73 for a name that none can have.
std::string explained_collection(const Context& context, wire::DocumentView command);
// Before the plan: explainVersion, in builds that have it (5.0+).
void append_explain_version(wire::DocumentBuilder& out, const Profile& profile);
// After the plan: command, serverInfo, serverParameters; until 4.4 serverInfo alone.
void append_explained(wire::DocumentBuilder& out, const Context& context, wire::DocumentView command);

}  // namespace emulator
