// The legacy messages of a case: built by hand, their replies read back as the tree that goldens hold. Knows no connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/golden/client.h"
#include "tests/golden/tree.h"
#include "wire/document.h"

namespace golden {

struct LegacyMessage {
  std::int32_t opcode = 0;
  std::string body;
};

// `step` has its references resolved. Throws CaseError for a kind that is none.
LegacyMessage legacy_message(wire::DocumentView step);
// OP_QUERY and OP_GET_MORE.
bool has_reply(std::string_view kind);
// The command that a legacy query carries; empty: it is none.
wire::DocumentView legacy_command(wire::DocumentView step);
// {responseFlags: [names], cursorID, startingFrom, numberReturned}.
Json op_reply_head(const OpReplyFields& fields);
// What later steps refer to: {cursorID, documents}.
wire::Document seen_reply(const Reply& reply);

}  // namespace golden
