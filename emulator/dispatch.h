// From a decoded message to a command's outcome: naming, the checks that every command shares, and the one catch.
#pragma once

#include "emulator/context.h"

namespace emulator {

// Reads name, database and sequences out of exchange.message; throws CommandError for a message that is no request
// (40571 without $db; what legacy_request.h says of the legacy opcodes).
void read_request(Exchange& exchange, const Profile& profile);
// The command of that name in this profile (aliases too); nullptr: none.
const CommandSpec* command_named(std::string_view name, const Profile& profile);
// Whether every command may carry the field (lsid, $db, maxTimeMS, comment, …).
bool is_generic_field(std::string_view name, const Profile& profile);
// The first field of the request that is neither generic nor, in this profile, one of its command's row.
std::optional<std::string_view> unknown_field_of(const Request& request, const CommandSpec& spec,
                                                 const Profile& profile);
// Checks what is data in the spec, then runs it. Errors become the exchange's reply: the outcome is Replied then.
Outcome dispatch(Context& context);
// Goes on with a command that waited; errors as in dispatch.
Outcome resume(Context& context, Wait& wait, WakeReason reason);

}  // namespace emulator
