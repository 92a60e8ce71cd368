// What a client may send as the id of a session. Knows no session.
#pragma once

#include <string>

#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

// Throws as the server's parser does: 12, 14, 207, 40414 or 40415; `path` names the document in errors.
void check_lsid(const std::string& path, wire::DocumentView lsid, Wording wording);

}  // namespace emulator
