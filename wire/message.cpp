#include "wire/message.h"

#include <string>

namespace wire {
namespace {

Operation decode_operation(Opcode opcode, Frame frame) {
  switch (opcode) {
    case Opcode::Msg:
      return decode_op_msg(frame);
    case Opcode::Query:
      return decode_op_query(frame);
    case Opcode::GetMore:
      return decode_op_get_more(frame);
    case Opcode::Insert:
      return decode_op_insert(frame);
    case Opcode::Update:
      return decode_op_update(frame);
    case Opcode::Delete:
      return decode_op_delete(frame);
    case Opcode::KillCursors:
      return decode_op_kill_cursors(frame);
    case Opcode::Reply:
      return decode_op_reply(frame);
    case Opcode::Compressed:
      break;
  }
  throw Malformed("unknown opcode " + std::to_string(static_cast<std::int32_t>(opcode)));
}

}  // namespace

Message decode_message(Frame frame) {
  if (frame.size() < header_bytes) throw Malformed("a message is cut short");
  Message message;
  Header header = read_header(frame);
  if (header.opcode == Opcode::Compressed) {
    message.uncompressed = decode_op_compressed(frame);
    message.envelope.compressor = message.uncompressed.compressor;
    frame = message.uncompressed.frame();
    header = read_header(frame);
  }
  message.envelope.request_id = header.request_id;
  message.envelope.response_to = header.response_to;
  message.envelope.opcode = header.opcode;
  if (header.opcode == Opcode::Msg) message.envelope.flags = op_msg_flags(frame);
  try {
    message.operation = decode_operation(header.opcode, frame);
  } catch (InvalidMessage& invalid) {
    invalid.envelope = message.envelope;
    throw;
  }
  return message;
}

Payload encode_reply(const Envelope& request, std::int32_t request_id, std::int32_t response_to, MoreToCome more,
                     Payload body) {
  Payload reply;
  if (request.opcode == Opcode::Msg) {
    std::uint32_t flags = request.flags & static_cast<std::uint32_t>(OpMsgFlag::ChecksumPresent);
    if (more == MoreToCome::Yes) flags |= static_cast<std::uint32_t>(OpMsgFlag::MoreToCome);
    reply = encode_op_msg(request_id, response_to, flags, std::move(body));
  } else {
    reply = encode_op_reply(request_id, response_to, {}, std::move(body));
  }
  return request.compressor ? encode_op_compressed(reply, *request.compressor) : reply;
}

}  // namespace wire
