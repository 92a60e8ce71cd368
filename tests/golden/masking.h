// Texts of a server without what differs between runs: tokens, timestamps, UUIDs, ids, addresses become <token>, <timestamp>, ….
#pragma once

#include <string>
#include <string_view>

namespace golden {

// `host` is the address that clients come to.
std::string mask(std::string_view text, std::string_view host);

// Whether a text or binary is one byte over and over, and long enough to be shown by its length alone.
bool is_long_run(std::string_view bytes);

}  // namespace golden
