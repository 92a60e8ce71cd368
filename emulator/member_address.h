// What clients shall call a member.
#pragma once

#include <string>
#include <string_view>

#include "emulator/context.h"

namespace emulator {

// Where the port of HOST:PORT begins, npos: there is none. The colons of an IPv6 address stand in brackets.
std::size_t port_colon(std::string_view address);

// What is advertised, else the host they came to with the member's own port.
std::string address_of(const Context& context, const Member& member);

}  // namespace emulator
