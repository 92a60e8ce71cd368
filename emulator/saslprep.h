// SASLprep (RFC 4013): a password as SCRAM-SHA-256 takes it, so that one typed in two ways is one password.
#pragma once

#include <string>
#include <string_view>

namespace emulator {

// ASCII stays as it is. Throws CommandError 50692 for characters that a password cannot have, 50687 when it is empty, in
// mongod's words (ICU's names of the faults).
std::string saslprep(std::string_view text);

}  // namespace emulator
