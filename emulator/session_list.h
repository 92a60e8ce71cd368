// Lists of sessions as commands take them, and the killing of what sessions run. Knows no single command.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/deployment.h"
#include "emulator/request.h"

namespace emulator {

// The documents of the command's own field; throws 14 unless it is an array of documents.
std::vector<wire::DocumentView> listed_sessions(const Request& request, std::string_view command);
// Aborts its transaction and frees its cursors; those that wait are ended with 11601.
void kill_session(Deployment& deployment, wire::DocumentView lsid);
void kill_all_sessions(Deployment& deployment);
// Kills and forgets those that nobody used for localLogicalSessionTimeoutMinutes.
void expire_sessions(Deployment& deployment, std::int64_t wall_ms);

}  // namespace emulator
