// The answer to a legacy message: a command's reply as OP_REPLY, and what getLastError will say of a write.
#pragma once

#include "emulator/exchange.h"
#include "emulator/last_error.h"
#include "wire/payload.h"

namespace emulator {

// Whether the reply is not a command's but that of OP_QUERY or OP_GET_MORE.
bool is_legacy_read(const Request& request);
// The whole message. Its documents are those of the reply's cursor; an error is a document of its own form.
wire::Payload legacy_reply(const Exchange& exchange, std::int32_t reply_id, std::int32_t response_to);
// What is left to say of a connection's last write, once this request is done: every other operation than a question for it
// ends that.
void note_last_error(LastError& last, const Exchange& exchange);

}  // namespace emulator
