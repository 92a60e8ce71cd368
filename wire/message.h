// A frame → the operation in it; an operation's answer → the bytes that go back the same way. Knows no command.
#pragma once

#include <cstdint>
#include <variant>

#include "wire/document.h"
#include "wire/header.h"
#include "wire/malformed.h"
#include "wire/op_compressed.h"
#include "wire/op_msg.h"
#include "wire/op_query.h"
#include "wire/op_reply.h"
#include "wire/payload.h"

namespace wire {

using Operation = std::variant<OpMsg, OpQuery, OpGetMore, OpInsert, OpUpdate, OpDelete, OpKillCursors, OpReply>;

// Its views point into the frame that it was decoded from, or, of a compressed one, into what the message itself owns.
struct Message {
  Envelope envelope;
  Operation operation;
  Uncompressed uncompressed;

  const OpMsg* op_msg() const { return std::get_if<OpMsg>(&operation); }
  const OpQuery* op_query() const { return std::get_if<OpQuery>(&operation); }
};

// Throws Malformed (close the connection) or InvalidMessage (answer its code, read on), as mongod 6.0.5 takes it.
// The content of an operation that a server may no longer speak is checked all the same; whether it answers is its
// profile's matter.
Message decode_message(Frame frame);

// `body`, one whole document, as the reply to a request of that envelope: OP_MSG with a checksum if the request had one
// (`more` adds MoreToCome), or OP_REPLY with one document; compressed if the request was. `response_to` is the
// request's id, or, in an exhaust stream, the id of the reply before.
enum class MoreToCome { No, Yes };
Payload encode_reply(const Envelope& request, std::int32_t request_id, std::int32_t response_to, MoreToCome more,
                     Payload body);

}  // namespace wire
