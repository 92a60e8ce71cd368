// How a client becomes a user: what saslStart, saslContinue, authenticate and a speculative hello share.
#pragma once

#include <string>
#include <string_view>

#include "emulator/context.h"

namespace emulator {

// Bytes of a `payload` field: binary, or base64 in a string. Throws 2 for another type.
std::string read_payload(wire::ValueView payload);
// {conversationId, done, payload}, the payload in the form in which the client's came.
void append_conversation(Context& context, std::string_view payload);
// From now on the connection's requests are this user's. Throws when it is another's already.
void log_in(Context& context, const UserName& name);
// The reply to a hello's speculativeAuthenticate; a default document: it came to nothing, of which the client is told nothing.
// Throws CommandError for a document that is none of the commands that log in.
wire::Document authenticate_speculatively(Context& context, wire::DocumentView command);

}  // namespace emulator
