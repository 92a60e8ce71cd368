// What clients shall call a member.
#pragma once

#include <string>

#include "emulator/context.h"

namespace emulator {

// What is advertised, else the host they came to with the member's own port.
std::string address_of(const Context& context, const Member& member);

}  // namespace emulator
