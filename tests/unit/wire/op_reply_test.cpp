#include "wire/op_reply.h"

#include <gtest/gtest.h>

#include "tests/unit/wire/messages.h"
#include "wire/malformed.h"

namespace wire {
namespace {

using messages::bytes_of;
using messages::int32;
using messages::small_document;

TEST(OpReply, HasTheBytesOfTheSpecification) {
  const Payload reply = encode_op_reply(5, 7, {}, Payload(small_document()));
  EXPECT_EQ(reply.flatten(), int32(36 + 12) + int32(5) + int32(7) + int32(1) + int32(8) +
                                 messages::number(std::int64_t{0}) + int32(0) + int32(1) + small_document());
}

TEST(OpReply, IsReadBack) {
  const OpReplyHead head{2, 99, 4, 2};
  const std::string bytes = encode_op_reply(5, 7, head, Payload(small_document() + small_document())).flatten();
  const OpReply reply = decode_op_reply(bytes_of(bytes));
  EXPECT_EQ(reply.flags, 2U);
  EXPECT_EQ(reply.cursor_id, 99);
  EXPECT_EQ(reply.starting_from, 4);
  ASSERT_EQ(reply.documents.size(), 2U);
  EXPECT_EQ(reply.documents[1]["a"].as_int32(), 1);
}

TEST(OpReply, HoldsWhatItCounts) {
  for (const std::int32_t count : {-1, 0, 2}) {
    const OpReplyHead head{8, 0, 0, count};
    const std::string bytes = encode_op_reply(5, 7, head, Payload(small_document())).flatten();
    EXPECT_THROW(decode_op_reply(bytes_of(bytes)), Malformed) << count;
  }
}

TEST(OpReply, CutAtAnyByteIsNeverRead) {
  const std::string bytes = encode_op_reply(5, 7, {}, Payload(small_document())).flatten();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    EXPECT_THROW(decode_op_reply(bytes_of(bytes).first(cut)), Malformed) << cut;
}

}  // namespace
}  // namespace wire
