#include "wire/op_msg.h"

#include <fmt/format.h>
#include <boost/crc.hpp>
#include <optional>

#include "wire/bytes_reader.h"
#include "wire/malformed.h"

namespace wire {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t known_required_flags = OpMsgFlag::ChecksumPresent | OpMsgFlag::MoreToCome;
constexpr std::uint32_t required_flags = 0xFFFF;
constexpr std::size_t flags_bytes = 4;
constexpr std::size_t checksum_bytes = 4;

constexpr int overflow = 15;
constexpr int unauthorized = 13;

std::uint32_t crc32c(const void* bytes, std::size_t size) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes, size);
  return crc.checksum();
}

// One document at the front of `bytes`.
DocumentView take_document(BytesReader& bytes) {
  std::size_t size = 0;
  if (const auto fault = check_document(bytes.left(), &size)) throw InvalidMessage(fault->code, fault->text);
  const DocumentView document(bytes.left().data());
  bytes.skip(size);
  return document;
}

// The texts are those of mongod's reader, which counts the offset within what it was given.
DocumentSequence take_sequence(BytesReader& bytes) {
  if (bytes.left().size() < sizeof(std::int32_t))
    throw InvalidMessage(overflow, fmt::format("buffer size too small to read (4) bytes out of buffer[{}] at offset: 0",
                                               bytes.left().size()));
  const std::uint32_t content_bytes = bytes.number<std::uint32_t>() - std::uint32_t{sizeof(std::int32_t)};
  if (content_bytes > bytes.left().size())
    throw InvalidMessage(overflow, fmt::format("Invalid advance ({}) past end of buffer[{}] at offset: 0",
                                               content_bytes, bytes.left().size()));
  BytesReader content(bytes.left().first(content_bytes));
  bytes.skip(content_bytes);
  if (content.empty() || std::memchr(content.left().data(), 0, content.left().size()) == nullptr)
    throw InvalidMessage(
        overflow, fmt::format("couldn't locate terminal char (\\u0000) in buffer[{}] at offset: 0", content_bytes));
  const std::string_view identifier = content.c_string();
  const std::uint8_t* first = content.left().data();
  std::size_t count = 0;
  for (; !content.empty(); ++count) take_document(content);
  return {identifier, first, content.left().data(), count};
}

// Everything between the flags and the checksum.
void read_sections(Bytes sections, OpMsg& message) {
  BytesReader bytes(sections);
  bool body_seen = false;
  while (!bytes.empty()) {
    const auto kind = bytes.number<std::uint8_t>();
    if (kind == 0) {
      if (body_seen) throw InvalidMessage(40430, "Multiple body sections in message");
      body_seen = true;
      message.body = take_document(bytes);
    } else if (kind == 1) {
      const DocumentSequence sequence = take_sequence(bytes);
      if (message.sequence(sequence.identifier()) != nullptr)
        throw InvalidMessage(40431, fmt::format("Duplicate document sequence: {}", sequence.identifier()));
      message.sequences.push_back(sequence);
    } else if (kind == 2) {
      throw InvalidMessage(unauthorized, "Unsupported Security Token provided");
    } else {
      throw InvalidMessage(40432, fmt::format("Unknown section kind {}", kind));
    }
  }
  if (!body_seen) throw InvalidMessage(40587, "OP_MSG messages must have a body");
  for (const DocumentSequence& sequence : message.sequences)
    if (message.body.has(sequence.identifier()))
      throw InvalidMessage(40433,
                           fmt::format("Duplicate field between body and document sequence {}", sequence.identifier()));
}

}  // namespace

const DocumentSequence* OpMsg::sequence(std::string_view identifier) const {
  for (const DocumentSequence& sequence : sequences)
    if (sequence.identifier() == identifier) return &sequence;
  return nullptr;
}

std::uint32_t op_msg_flags(Frame frame) {
  std::uint32_t flags = 0;
  if (frame.size() >= header_bytes + flags_bytes) std::memcpy(&flags, frame.data() + header_bytes, flags_bytes);
  return flags;
}

OpMsg decode_op_msg(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  OpMsg message;
  message.flags = bytes.number<std::uint32_t>();
  if ((message.flags & required_flags & ~known_required_flags) != 0)
    throw Malformed(fmt::format("OP_MSG with unknown required flags {:#x}", message.flags));
  if (!message.has(OpMsgFlag::ChecksumPresent)) {
    read_sections(bytes.left(), message);
    return message;
  }
  if (bytes.left().size() <= checksum_bytes)
    throw InvalidMessage(51252, "Invalid message size for an OpMsg containing a checksum");
  read_sections(bytes.left().first(bytes.left().size() - checksum_bytes), message);
  // mongod looks at the checksum last: invalid content is answered, right content with a wrong checksum is not.
  std::uint32_t checksum;
  std::memcpy(&checksum, frame.data() + frame.size() - checksum_bytes, checksum_bytes);
  if (checksum != crc32c(frame.data(), frame.size() - checksum_bytes))
    throw Malformed("OP_MSG checksum does not match");
  return message;
}

Payload encode_op_msg(std::int32_t request_id, std::int32_t response_to, std::uint32_t flags, Payload body) {
  const bool checksum = has(flags, OpMsgFlag::ChecksumPresent);
  const std::size_t length = header_bytes + flags_bytes + 1 + body.size() + (checksum ? checksum_bytes : 0);
  std::string head;
  head.reserve(header_bytes + flags_bytes + 1);
  append_number(head, Header{static_cast<std::int32_t>(length), request_id, response_to, Opcode::Msg});
  append_number(head, flags);
  head += '\0';
  body.prepend(head);
  if (!checksum) return body;
  std::string bytes = body.flatten();
  append_number(bytes, crc32c(bytes.data(), bytes.size()));
  return Payload(std::move(bytes));
}

}  // namespace wire
