// The legacy opcodes, each made into the command that does the same: one way to run, whichever opcode brought it.
// https://www.mongodb.com/docs/manual/legacy-opcodes/
#pragma once

#include "emulator/exchange.h"
#include "emulator/profile.h"

namespace emulator {

// Whether the server answers more than the handshake by OP_QUERY, and the other legacy opcodes at all: up to 5.0.
bool speaks_legacy_opcodes(const Profile& profile);

// Reads exchange.message, which is no OP_MSG, into exchange.request; a command that it had to make is exchange.translated.
// Throws CommandError for what mongod answers with an error, wire::Malformed where it closes the connection.
void read_legacy_request(Exchange& exchange, const Profile& profile);

// Makes the message of a reply that was sent by flag `exhaust` into what the server does next: OP_GET_MORE of that cursor.
void ask_for_more(wire::Message& message, std::int64_t cursor);

}  // namespace emulator
