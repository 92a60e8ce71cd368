// The rules that a cursor belongs to the user and to the session that opened it.
#pragma once

#include "emulator/context.h"
#include "emulator/cursor.h"
#include "emulator/profile.h"

namespace emulator {

// With authentication on: throws 13 when a getMore comes from another user, or from one whose roles no longer allow what
// opened the cursor, or out of its session.
void check_cursor_owner(const Context& context, const Cursor& cursor);
// Throws 50736, 50737, 50738 when a getMore comes from another session than the cursor's.
void check_cursor_session(const Cursor& cursor, const Request& request, Wording wording);

// As mongod prints a logical session id: the id, the digest of no user (SHA-256 of nothing, base64), and from 6.0 on
// two absent parts.
std::string logical_session_text(wire::DocumentView lsid, Wording wording);

}  // namespace emulator
