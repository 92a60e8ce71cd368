#include "wire/frame_reader.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/wire/golden_messages.h"
#include "tests/unit/wire/messages.h"
#include "wire/malformed.h"

namespace wire {
namespace {

using messages::bytes_of;

std::vector<std::string> read_all(FrameReader& reader) {
  std::vector<std::string> frames;
  while (const auto frame = reader.next()) frames.push_back(messages::text_of(*frame));
  return frames;
}

TEST(FrameReader, GivesAWholeMessageInPlace) {
  const std::string message = messages::from_hex(golden::exhaust_hello);
  FrameReader reader;
  reader.push(bytes_of(message));
  const auto frame = reader.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(static_cast<const void*>(frame->data()), message.data());
  EXPECT_EQ(frame->size(), message.size());
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.kept_bytes(), 0U);
}

TEST(FrameReader, GivesTheSameMessagesCutAtEveryByte) {
  const std::vector<std::string> expected{messages::from_hex(golden::exhaust_hello),
                                          messages::from_hex(golden::insert_with_sequence), messages::op_msg("")};
  const std::string stream = expected[0] + expected[1] + expected[2];
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    FrameReader reader;
    std::vector<std::string> frames;
    for (std::string part : {stream.substr(0, cut), stream.substr(cut)}) {
      reader.push(bytes_of(part));
      for (std::string& frame : read_all(reader)) frames.push_back(std::move(frame));
      part.assign(part.size(), '#');  // the pushed bytes may die now
    }
    EXPECT_EQ(frames, expected) << cut;
    EXPECT_EQ(reader.kept_bytes(), 0U);
  }
}

TEST(FrameReader, GivesTheSameMessagesByteByByte) {
  const std::string message = messages::from_hex(golden::insert_with_sequence);
  FrameReader reader;
  std::vector<std::string> frames;
  for (const char byte : message + message) {
    reader.push(bytes_of({&byte, 1}));
    for (std::string& frame : read_all(reader)) frames.push_back(std::move(frame));
  }
  EXPECT_EQ(frames, (std::vector<std::string>{message, message}));
}

TEST(FrameReader, KeepsWhatWasNotAskedForAcrossFinish) {
  const std::string one = messages::op_msg("one");
  const std::string two = messages::op_msg("second");
  std::string pushed = one + two + two.substr(0, 9);
  FrameReader reader;
  reader.push(bytes_of(pushed));
  EXPECT_EQ(messages::text_of(*reader.next()), one);
  reader.finish();
  pushed.assign(pushed.size(), '#');
  EXPECT_EQ(reader.kept_bytes(), two.size() + 9);
  const std::string rest = two.substr(9) + one;
  reader.push(bytes_of(rest));
  EXPECT_EQ(read_all(reader), (std::vector<std::string>{two, two, one}));
  EXPECT_EQ(reader.kept_bytes(), 0U);
}

TEST(FrameReader, RefusesLengthsOutOfBounds) {
  for (const std::int64_t length :
       {std::int64_t{15}, std::int64_t{0}, std::int64_t{-1}, std::int64_t{message_bytes_max} + 1}) {
    const std::string bytes = messages::int32(length);
    FrameReader whole;
    whole.push(bytes_of(bytes));
    EXPECT_THROW(whole.next(), Malformed) << length;
    FrameReader cut;
    cut.push(bytes_of(bytes).first(2));
    EXPECT_FALSE(cut.next());
    cut.push(bytes_of(bytes).subspan(2));
    EXPECT_THROW(cut.next(), Malformed) << length;
  }
}

TEST(FrameReader, AcceptsTheLengthsAtTheBounds) {
  const std::string smallest = messages::message(Opcode::Msg, "");
  FrameReader reader;
  reader.push(bytes_of(smallest));
  EXPECT_EQ(read_all(reader), std::vector<std::string>{smallest});
  // The largest is waited for, and its claim takes no memory.
  const std::string head = messages::int32(message_bytes_max);
  reader.push(bytes_of(head));
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.kept_bytes(), head.size());
}

}  // namespace
}  // namespace wire
