#include "wire/op_compressed.h"

#include <gtest/gtest.h>

#include "tests/unit/wire/golden_messages.h"
#include "tests/unit/wire/messages.h"
#include "wire/malformed.h"
#include "wire/message.h"

namespace wire {
namespace {

using messages::bytes_of;
using messages::int32;

std::string compressed(std::int32_t opcode, std::int64_t size, int compressor, std::string_view content) {
  return messages::message(Opcode::Compressed,
                           int32(opcode) + int32(size) + static_cast<char>(compressor) + std::string(content));
}

class EveryCompressor : public testing::TestWithParam<Compressor> {};

TEST_P(EveryCompressor, GivesBackTheMessage) {
  const std::string message = messages::from_hex(golden::streamed_hello_reply);
  const Payload wrapped = encode_op_compressed(Payload(message), GetParam());
  const std::string flat = wrapped.flatten();
  EXPECT_EQ(read_header(bytes_of(flat)).opcode, Opcode::Compressed);
  EXPECT_EQ(read_header(bytes_of(flat)).length_bytes, static_cast<std::int32_t>(flat.size()));
  const Uncompressed inner = decode_op_compressed(bytes_of(flat));
  EXPECT_EQ(messages::text_of(inner.frame()), message);
  EXPECT_EQ(inner.compressor, GetParam());
}

TEST_P(EveryCompressor, RefusesAnotherSizeThanTheClaimedOne) {
  const std::string message = messages::from_hex(golden::streamed_hello_reply);
  const std::string flat = encode_op_compressed(Payload(message), GetParam()).flatten();
  for (const int change : {-1, 1, 1000}) {
    std::string wrong = flat;
    wrong.replace(20, 4, int32(static_cast<std::int64_t>(message.size()) - 16 + change));
    EXPECT_THROW(decode_op_compressed(bytes_of(wrong)), Malformed) << change;
  }
}

TEST_P(EveryCompressor, RefusesContentCutAtAnyByte) {
  const std::string message = messages::from_hex(golden::insert_with_sequence);
  const std::string flat = encode_op_compressed(Payload(message), GetParam()).flatten();
  for (std::size_t cut = header_bytes; cut < flat.size(); ++cut)
    EXPECT_THROW(decode_op_compressed(bytes_of(flat).first(cut)), Malformed) << cut;
}

TEST_P(EveryCompressor, HasTheNameThatHelloUses) {
  EXPECT_EQ(compressor_named(compressor_name(GetParam())), GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, EveryCompressor,
                         testing::Values(Compressor::Noop, Compressor::Snappy, Compressor::Zlib, Compressor::Zstd),
                         [](const auto& with) { return std::string(compressor_name(with.param)); });

TEST(OpCompressed, ReadsRealMessages) {
  const std::string zlib = messages::from_hex(golden::compressed_insert);
  EXPECT_EQ(decode_op_compressed(bytes_of(zlib)).size_bytes, header_bytes + 444);
  const Message insert = decode_message(bytes_of(zlib));
  EXPECT_EQ(insert.envelope.compressor, Compressor::Zlib);
  EXPECT_EQ(insert.op_msg()->body.first().name, "insert");
  EXPECT_GT(insert.op_msg()->sequence("documents")->count(), 0U);
  const std::string snappy = messages::from_hex(golden::snappy_request);
  EXPECT_EQ(decode_message(bytes_of(snappy)).op_msg()->body.first().name, "voteCommitIndexBuild");
}

TEST(OpCompressed, IsNotTrustedInItsSize) {
  EXPECT_THROW(decode_op_compressed(bytes_of(compressed(2013, -1, 2, "x"))), Malformed);
  EXPECT_THROW(decode_op_compressed(bytes_of(compressed(2013, 0x7fffffff, 2, "x"))), Malformed);
  EXPECT_THROW(decode_op_compressed(bytes_of(compressed(2013, message_bytes_max - 15, 2, "x"))), Malformed);
  const std::string largest(message_bytes_max - header_bytes, 'x');
  const std::string at_bound =
      encode_op_compressed(Payload(messages::message(Opcode::Msg, largest)), Compressor::Snappy).flatten();
  EXPECT_EQ(decode_op_compressed(bytes_of(at_bound)).size_bytes, message_bytes_max);
}

TEST(OpCompressed, RefusesItselfInsideAndUnknownCompressors) {
  EXPECT_THROW(decode_op_compressed(bytes_of(compressed(2012, 1, 0, "x"))), Malformed);
  EXPECT_THROW(decode_op_compressed(bytes_of(compressed(2013, 1, 4, "x"))), Malformed);
  EXPECT_THROW(decode_op_compressed(bytes_of(messages::message(Opcode::Compressed, "abc"))), Malformed);
}

}  // namespace
}  // namespace wire
