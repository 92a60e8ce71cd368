// Clients' writes to local.oplog.rs in builds that refuse not the command, but what each statement would do (until 4.2). Knows no
// command.
#pragma once

#include <string_view>

#include "emulator/context.h"
#include "emulator/store/matcher.h"
#include "emulator/write.h"

namespace emulator {

// Whether `collection` is the oplog and the build lets statements at it.
bool may_try_oplog(const Context& context, std::string_view collection);
// 2 for what is no entry; 238 for what mongod would take for one.
Failure oplog_insert_failure(wire::DocumentView document);
// 238 if there is an entry to change.
Failure oplog_update_failure(const Context& context, const Matcher& filter);
Failure oplog_delete_failure();

}  // namespace emulator
