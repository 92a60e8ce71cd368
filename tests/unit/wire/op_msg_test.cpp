#include "wire/op_msg.h"

#include <gtest/gtest.h>

#include "tests/unit/wire/golden_messages.h"
#include "tests/unit/wire/messages.h"
#include "wire/malformed.h"

namespace wire {
namespace {

using messages::body_section;
using messages::bytes_of;
using messages::int32;
using messages::op_msg;
using messages::sequence_section;
using messages::small_document;

using namespace std::string_literals;

constexpr auto checksum_flag = static_cast<std::uint32_t>(OpMsgFlag::ChecksumPresent);

// The code and the text that mongod would answer, or "closed".
std::string answer(const std::string& message) {
  try {
    decode_op_msg(bytes_of(message));
    return "read";
  } catch (const InvalidMessage& invalid) {
    return std::to_string(invalid.code) + " " + invalid.what();
  } catch (const Malformed&) {
    return "closed";
  }
}

TEST(OpMsg, ReadsARealInsertWithASequence) {
  const std::string message = messages::from_hex(golden::insert_with_sequence);
  const OpMsg insert = decode_op_msg(bytes_of(message));
  EXPECT_EQ(insert.flags, 0U);
  EXPECT_EQ(insert.body["insert"].as_string(), "c");
  EXPECT_EQ(insert.body["$db"].as_string(), "golden");
  const DocumentSequence* documents = insert.sequence("documents");
  ASSERT_NE(documents, nullptr);
  ASSERT_EQ(documents->count(), 1U);
  EXPECT_EQ((*documents->begin())["_id"].as_int32(), 9);
  EXPECT_EQ(insert.sequence("updates"), nullptr);
}

TEST(OpMsg, ReadsTheFlagsOfExhaust) {
  const std::string request = messages::from_hex(golden::exhaust_hello);
  const std::string reply = messages::from_hex(golden::streamed_hello_reply);
  EXPECT_TRUE(decode_op_msg(bytes_of(request)).has(OpMsgFlag::ExhaustAllowed));
  EXPECT_TRUE(decode_op_msg(bytes_of(reply)).has(OpMsgFlag::MoreToCome));
}

TEST(OpMsg, IsWrittenAsMongodWroteIt) {
  for (const std::string_view hex : {golden::streamed_hello_reply, golden::checksummed_reply}) {
    const std::string message = messages::from_hex(hex);
    const Header header = read_header(bytes_of(message));
    const OpMsg reply = decode_op_msg(bytes_of(message));
    const Payload written =
        encode_op_msg(header.request_id, header.response_to, reply.flags, Payload(Document(reply.body)));
    EXPECT_EQ(written.size(), message.size());
    EXPECT_EQ(written.flatten(), message);
  }
}

TEST(OpMsg, VerifiesTheChecksumOfRealBytes) {
  const std::string message = messages::from_hex(golden::checksummed_reply);
  EXPECT_EQ(answer(message), "read");
  for (std::size_t at = message.size() - 12; at < message.size(); ++at) {
    std::string damaged = message;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_NE(answer(damaged), "read") << at;
  }
}

TEST(OpMsg, TakesItsSectionsInAnyOrder) {
  const std::string body = body_section(small_document());
  const std::string documents = sequence_section("documents", small_document() + small_document());
  const std::string updates = sequence_section("updates", "");
  for (const std::string& sections :
       {body + documents + updates, documents + body + updates, documents + updates + body}) {
    const std::string message = op_msg(sections);
    const OpMsg read = decode_op_msg(bytes_of(message));
    EXPECT_EQ(read.body["a"].as_int32(), 1);
    EXPECT_EQ(read.sequence("documents")->count(), 2U);
    EXPECT_TRUE(read.sequence("updates")->empty());
    int sum = 0;
    for (const DocumentView document : *read.sequence("documents")) sum += document["a"].as_int32();
    EXPECT_EQ(sum, 2);
  }
}

// Each answer was measured on mongod 6.0.5.
TEST(OpMsg, WithWrongSectionsIsAnsweredAsMongodAnswers) {
  const std::string body = body_section(small_document());
  const std::string documents = sequence_section("documents", small_document());
  EXPECT_EQ(answer(op_msg("")), "40587 OP_MSG messages must have a body");
  EXPECT_EQ(answer(op_msg(documents)), "40587 OP_MSG messages must have a body");
  EXPECT_EQ(answer(op_msg(body + body)), "40430 Multiple body sections in message");
  EXPECT_EQ(answer(op_msg(body + "\0"s)), "40430 Multiple body sections in message");
  EXPECT_EQ(answer(op_msg(body + documents + documents)), "40431 Duplicate document sequence: documents");
  EXPECT_EQ(answer(op_msg(body + sequence_section("a", ""))),
            "40433 Duplicate field between body and document sequence a");
  EXPECT_EQ(answer(op_msg("\2" + small_document())), "13 Unsupported Security Token provided");
  EXPECT_EQ(answer(op_msg(body + "\xff")), "40432 Unknown section kind 255");
  EXPECT_EQ(answer(op_msg(body + "\1\2\3")),
            "15 buffer size too small to read (4) bytes out of buffer[2] at offset: 0");
  EXPECT_EQ(answer(op_msg(body + "\1"s + int32(255) + "documents\0"s)),
            "15 Invalid advance (251) past end of buffer[10] at offset: 0");
  EXPECT_EQ(answer(op_msg(body + "\1"s + int32(3))),
            "15 Invalid advance (4294967295) past end of buffer[0] at offset: 0");
  EXPECT_EQ(answer(op_msg(body + "\1"s + int32(8) + "docu")),
            "15 couldn't locate terminal char (\\u0000) in buffer[4] at offset: 0");
}

TEST(OpMsg, WithInvalidDocumentsIsAnsweredAsMongodAnswers) {
  EXPECT_EQ(answer(op_msg(body_section(small_document().substr(0, 9)))),
            "22 Incorrect BSON length in element with field name '?' in object with unknown _id");
  EXPECT_EQ(answer(op_msg(body_section(small_document()) + sequence_section("documents", "\5\0\0"s))),
            "22 BSON data has to be at least 5 bytes in element with field name '?' in object with unknown _id");
  EXPECT_EQ(answer(op_msg(body_section(small_document()), checksum_flag)),
            "22 Incorrect BSON length in element with field name '?' in object with unknown _id");
  EXPECT_EQ(answer(messages::message(Opcode::Msg, messages::number(checksum_flag) + "ab")),
            "51252 Invalid message size for an OpMsg containing a checksum");
}

TEST(OpMsg, WithUnknownRequiredFlagsClosesTheConnection) {
  const std::string body = body_section(small_document());
  for (unsigned bit = 2; bit < 16; ++bit) EXPECT_EQ(answer(op_msg(body, 1U << bit)), "closed") << bit;
  for (unsigned bit = 16; bit < 32; ++bit) EXPECT_EQ(answer(op_msg(body, 1U << bit)), "read") << bit;
  EXPECT_EQ(answer(messages::message(Opcode::Msg, "\0\0"s)), "closed");
}

TEST(OpMsg, CutAtAnyByteIsNeverRead) {
  for (const std::string_view hex : {golden::insert_with_sequence, golden::checksummed_reply}) {
    const std::string message = messages::from_hex(hex);
    // Behind its body, a message without a checksum is whole again.
    const OpMsg whole = decode_op_msg(bytes_of(message));
    const std::size_t body_end = header_bytes + 5 + whole.body.size();
    for (std::size_t cut = 0; cut < message.size(); ++cut) {
      const bool ends = cut == body_end && !whole.has(OpMsgFlag::ChecksumPresent);
      EXPECT_EQ(answer(message.substr(0, cut)) == "read", ends) << cut;
    }
  }
}

}  // namespace
}  // namespace wire
