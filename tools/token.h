// Resume tokens for a terminal: what is inside one, and one from its description.
#pragma once

#include <string>

namespace tools {

// One line of JSON. Throws server::StartError for what is no token.
std::string token_text(const std::string& hex);
// The token as a client sees it, {"_data": …}, from a description in the form of token_text(). Throws server::StartError.
std::string token_from(const std::string& json);

}  // namespace tools
