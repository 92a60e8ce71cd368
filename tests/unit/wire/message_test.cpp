#include "wire/message.h"

#include <gtest/gtest.h>

#include "tests/unit/wire/golden_messages.h"
#include "tests/unit/wire/messages.h"

namespace wire {
namespace {

using messages::body_section;
using messages::bytes_of;
using messages::int32;
using messages::op_msg;
using messages::small_document;

std::string reply_to(const Envelope& request, MoreToCome more = MoreToCome::No) {
  return encode_reply(request, 100, request.request_id, more, Payload(small_document())).flatten();
}

TEST(Message, SaysHowItCame) {
  const std::string bytes = messages::from_hex(golden::compressed_insert);
  const Message message = decode_message(bytes_of(bytes));
  EXPECT_EQ(message.envelope.request_id, read_header(bytes_of(bytes)).request_id);
  EXPECT_EQ(message.envelope.opcode, Opcode::Msg);
  EXPECT_EQ(message.envelope.compressor, Compressor::Zlib);
}

TEST(Message, KeepsItsViewsWhenItMoves) {
  const std::string bytes = messages::from_hex(golden::compressed_insert);
  Message first = decode_message(bytes_of(bytes));
  const Message second = std::move(first);
  EXPECT_EQ(second.op_msg()->body["insert"].as_string(), "c");
}

TEST(Message, OfAnUnknownOpcodeClosesTheConnection) {
  for (const int opcode : {0, 2, 9, 1000, 2003, 2010, 2011, 2014, -1})
    EXPECT_THROW(decode_message(bytes_of(messages::message(static_cast<Opcode>(opcode), small_document()))), Malformed)
        << opcode;
  EXPECT_THROW(decode_message(bytes_of("short")), Malformed);
}

TEST(Message, WithInvalidContentSaysHowToAnswer) {
  const std::string bytes =
      encode_op_compressed(Payload(op_msg("", static_cast<std::uint32_t>(OpMsgFlag::MoreToCome))), Compressor::Snappy)
          .flatten();
  try {
    decode_message(bytes_of(bytes));
    FAIL() << "a message without a body was read";
  } catch (const InvalidMessage& invalid) {
    EXPECT_EQ(invalid.code, 40587);
    EXPECT_EQ(invalid.envelope.request_id, 7);
    EXPECT_EQ(invalid.envelope.compressor, Compressor::Snappy);
    EXPECT_TRUE(has(invalid.envelope.flags, OpMsgFlag::MoreToCome));
  }
}

TEST(Reply, GoesTheWayOfItsRequest) {
  const std::string plain = reply_to({.request_id = 7});
  EXPECT_EQ(plain, int32(33) + int32(100) + int32(7) + int32(2013) + int32(0) + body_section(small_document()));

  const std::string more = reply_to({.request_id = 7}, MoreToCome::Yes);
  EXPECT_EQ(decode_message(bytes_of(more)).envelope.flags, static_cast<std::uint32_t>(OpMsgFlag::MoreToCome));

  const std::string checksummed = reply_to({.flags = OpMsgFlag::ChecksumPresent | OpMsgFlag::ExhaustAllowed});
  EXPECT_EQ(decode_message(bytes_of(checksummed)).envelope.flags,
            static_cast<std::uint32_t>(OpMsgFlag::ChecksumPresent));

  const std::string legacy = reply_to({.opcode = Opcode::Query});
  EXPECT_EQ(std::get<OpReply>(decode_message(bytes_of(legacy)).operation).documents.size(), 1U);

  const std::string compressed = reply_to({.compressor = Compressor::Zstd});
  const Message read = decode_message(bytes_of(compressed));
  EXPECT_EQ(read.envelope.compressor, Compressor::Zstd);
  EXPECT_EQ(read.op_msg()->body["a"].as_int32(), 1);
}

}  // namespace
}  // namespace wire
