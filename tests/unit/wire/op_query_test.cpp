#include "wire/op_query.h"

#include <gtest/gtest.h>

#include "tests/unit/wire/messages.h"
#include "wire/malformed.h"
#include "wire/message.h"

namespace wire {
namespace {

using messages::bytes_of;
using messages::c_string;
using messages::int32;
using messages::small_document;

using namespace std::string_literals;

std::string query(std::string_view documents) {
  return messages::message(Opcode::Query,
                           int32(4) + c_string("admin.$cmd") + int32(3) + int32(-1) + std::string(documents));
}

std::string answer(const std::string& message) {
  try {
    decode_message(bytes_of(message));
    return "read";
  } catch (const InvalidMessage& invalid) {
    return std::to_string(invalid.code) + " " + invalid.what();
  } catch (const Malformed&) {
    return "closed";
  }
}

TEST(OpQuery, IsReadWhole) {
  const std::string plain = query(small_document());
  const OpQuery read = decode_op_query(bytes_of(plain));
  EXPECT_TRUE(read.has(OpQueryFlag::SecondaryOk));
  EXPECT_FALSE(read.has(OpQueryFlag::Exhaust));
  EXPECT_EQ(read.collection, "admin.$cmd");
  EXPECT_EQ(read.skip, 3);
  EXPECT_EQ(read.number_to_return, -1);
  EXPECT_EQ(read.query["a"].as_int32(), 1);
  EXPECT_FALSE(read.fields);
  const std::string with_fields = query(small_document() + small_document());
  EXPECT_EQ((*decode_op_query(bytes_of(with_fields)).fields)["a"].as_int32(), 1);
}

// Each answer was measured on mongod 6.0.5.
TEST(OpQuery, WithInvalidDocumentsIsAnsweredAsMongodAnswers) {
  EXPECT_EQ(answer(query("")), "22 Client Error: Remaining data too small for BSON object");
  EXPECT_EQ(answer(query("\6\0\0\0\0\0"s)),
            "22 Client Error: bad object in message: incorrect BSON length in element with field name '?' in object "
            "with unknown _id");
  EXPECT_EQ(answer(query("\x16\0\0\0\0\0"s)),
            "22 Client Error: bad object in message: Incorrect BSON length in element with field name '?' in object "
            "with unknown _id");
  EXPECT_EQ(answer(messages::message(Opcode::Query, int32(0) + "admin.$cmd")), "closed");
}

TEST(LegacyRequests, AreReadWhole) {
  const std::string more =
      messages::message(Opcode::GetMore, int32(0) + c_string("a.b") + int32(5) + messages::number(std::int64_t{9}));
  EXPECT_EQ(decode_op_get_more(bytes_of(more)).collection, "a.b");
  EXPECT_EQ(decode_op_get_more(bytes_of(more)).number_to_return, 5);
  EXPECT_EQ(decode_op_get_more(bytes_of(more)).cursor_id, 9);

  const std::string insert =
      messages::message(Opcode::Insert, int32(1) + c_string("a.b") + small_document() + small_document());
  EXPECT_EQ(decode_op_insert(bytes_of(insert)).flags, 1U);
  ASSERT_EQ(decode_op_insert(bytes_of(insert)).documents.size(), 2U);
  EXPECT_EQ(decode_op_insert(bytes_of(insert)).documents[1]["a"].as_int32(), 1);

  const std::string update = messages::message(
      Opcode::Update, int32(0) + c_string("a.b") + int32(3) + small_document() + messages::document(""));
  EXPECT_EQ(decode_op_update(bytes_of(update)).flags, 3U);
  EXPECT_EQ(decode_op_update(bytes_of(update)).selector["a"].as_int32(), 1);
  EXPECT_TRUE(decode_op_update(bytes_of(update)).update.empty());

  const std::string remove =
      messages::message(Opcode::Delete, int32(0) + c_string("a.b") + int32(1) + small_document());
  EXPECT_EQ(decode_op_delete(bytes_of(remove)).flags, 1U);
  EXPECT_EQ(decode_op_delete(bytes_of(remove)).selector["a"].as_int32(), 1);

  const std::string kill =
      messages::message(Opcode::KillCursors,
                        int32(0) + int32(2) + messages::number(std::int64_t{9}) + messages::number(std::int64_t{-1}));
  EXPECT_EQ(decode_op_kill_cursors(bytes_of(kill)).cursor_ids, (std::vector<std::int64_t>{9, -1}));
}

TEST(LegacyRequests, CutAtAnyByteAreNeverRead) {
  const std::string update =
      messages::message(Opcode::Update, int32(0) + c_string("a.b") + int32(3) + small_document() + small_document());
  const std::string remove =
      messages::message(Opcode::Delete, int32(0) + c_string("a.b") + int32(1) + small_document());
  const std::string more =
      messages::message(Opcode::GetMore, int32(0) + c_string("a.b") + int32(5) + messages::number(std::int64_t{9}));
  const std::string kill =
      messages::message(Opcode::KillCursors, int32(0) + int32(1) + messages::number(std::int64_t{9}));
  for (const std::string& message : {update, remove, more, kill, query(small_document())}) {
    EXPECT_EQ(answer(message), "read");
    for (std::size_t cut = 0; cut < message.size(); ++cut) EXPECT_NE(answer(message.substr(0, cut)), "read") << cut;
  }
}

TEST(LegacyRequests, KillAsManyCursorsAsTheyHold) {
  for (const int count : {-1, 0, 2, 0x7fffffff})
    EXPECT_EQ(
        answer(messages::message(Opcode::KillCursors, int32(0) + int32(count) + messages::number(std::int64_t{9}))),
        "closed");
}

}  // namespace
}  // namespace wire
