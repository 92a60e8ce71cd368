// OP_REPLY, the answer to OP_QUERY and OP_GET_MORE: written, and read back by who stands between client and server.
// https://www.mongodb.com/docs/manual/legacy-opcodes/#op_reply
#pragma once

#include <cstdint>
#include <vector>

#include "wire/document.h"
#include "wire/header.h"
#include "wire/payload.h"

namespace wire {

enum class OpReplyFlag : std::uint32_t {
  CursorNotFound = 1U << 0,
  QueryFailure = 1U << 1,
  AwaitCapable = 1U << 3,
};

struct OpReply {
  // OpReplyFlag bits; every server that still speaks sets AwaitCapable on success.
  std::uint32_t flags = static_cast<std::uint32_t>(OpReplyFlag::AwaitCapable);
  std::int64_t cursor_id = 0;
  std::int32_t starting_from = 0;
  std::vector<DocumentView> documents;
};

// What stands before the documents.
struct OpReplyHead {
  std::uint32_t flags = static_cast<std::uint32_t>(OpReplyFlag::AwaitCapable);
  std::int64_t cursor_id = 0;
  std::int32_t starting_from = 0;
  std::int32_t number_returned = 1;
};

// `documents` are number_returned whole documents, one behind the other.
Payload encode_op_reply(std::int32_t request_id, std::int32_t response_to, const OpReplyHead& head, Payload documents);

// Views into `frame`. Throws Malformed when it is cut short or does not hold what it counts, InvalidMessage{22} for
// invalid BSON.
OpReply decode_op_reply(Frame frame);

}  // namespace wire
