#include "wire/op_reply.h"

#include "wire/bytes_reader.h"

namespace wire {
namespace {
constexpr std::size_t head_bytes = 20;
}  // namespace

Payload encode_op_reply(std::int32_t request_id, std::int32_t response_to, const OpReplyHead& head, Payload documents) {
  const std::size_t length = header_bytes + head_bytes + documents.size();
  std::string bytes;
  bytes.reserve(header_bytes + head_bytes);
  append_number(bytes, Header{static_cast<std::int32_t>(length), request_id, response_to, Opcode::Reply});
  append_number(bytes, head.flags);
  append_number(bytes, head.cursor_id);
  append_number(bytes, head.starting_from);
  append_number(bytes, head.number_returned);
  documents.prepend(bytes);
  return documents;
}

OpReply decode_op_reply(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  OpReply reply;
  reply.flags = bytes.number<std::uint32_t>();
  reply.cursor_id = bytes.number<std::int64_t>();
  reply.starting_from = bytes.number<std::int32_t>();
  const auto count = bytes.number<std::int32_t>();
  while (!bytes.empty()) {
    std::size_t size = 0;
    if (const auto fault = check_document(bytes.left(), &size)) throw InvalidMessage(fault->code, fault->text);
    reply.documents.emplace_back(bytes.left().data());
    bytes.skip(size);
  }
  if (count < 0 || reply.documents.size() != static_cast<std::size_t>(count))
    throw Malformed("OP_REPLY does not hold the documents that it counts");
  return reply;
}

}  // namespace wire
