// Lists of sessions as commands take them, and the killing of what sessions run. Knows no single command.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/request.h"

namespace emulator {

// What errors call a command's own field, and the elements of it.
struct ListPath {
  std::string_view list;
  std::string_view element;
  std::string_view element_until_4_4;
  std::string_view element_of(Wording wording) const { return wording <= Wording::V4_4 ? element_until_4_4 : element; }
};
// The documents of the command's own field; throws 14 or 10065 unless it is an array of documents.
std::vector<wire::DocumentView> listed_documents(const Context& context, const ListPath& path);
// Likewise, each the id of a session: throws as check_lsid does.
std::vector<wire::DocumentView> listed_sessions(const Context& context, const ListPath& path);
// Aborts its transaction and frees its cursors; those that wait are ended with 11601.
void kill_session(Deployment& deployment, wire::DocumentView lsid);
void kill_all_sessions(Deployment& deployment);
// Kills and forgets those that nobody used for localLogicalSessionTimeoutMinutes.
void expire_sessions(Deployment& deployment, std::int64_t wall_ms);

}  // namespace emulator
