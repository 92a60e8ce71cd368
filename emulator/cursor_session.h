// The rule that a cursor belongs to the session that opened it.
#pragma once

#include "emulator/cursor.h"
#include "emulator/profile.h"
#include "emulator/request.h"

namespace emulator {

// Throws 50736, 50737, 50738 when a getMore comes from another session than the cursor's.
void check_cursor_session(const Cursor& cursor, const Request& request, Wording wording);

// As mongod prints a logical session id: the id, the digest of no user (SHA-256 of nothing, base64), and from 6.0 on
// two absent parts.
std::string logical_session_text(wire::DocumentView lsid, Wording wording);

}  // namespace emulator
