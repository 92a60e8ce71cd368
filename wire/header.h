// The 16 bytes that open every message, and what of them a reply must repeat. Knows no operation's content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace wire {

// The bytes of one whole message, header included. Keeps nothing alive.
using Frame = std::span<const std::byte>;

inline constexpr std::size_t header_bytes = 16;

// The largest message that mongod takes or sends (MaxMessageSizeBytes; `maxMessageSizeBytes` of hello).
inline constexpr std::size_t message_bytes_max = 48'000'000;

// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/#opcodes
enum class Opcode : std::int32_t {
  Reply = 1,
  Update = 2001,
  Insert = 2002,
  Query = 2004,
  GetMore = 2005,
  Delete = 2006,
  KillCursors = 2007,
  Compressed = 2012,
  Msg = 2013,
};

// The compressorId of OP_COMPRESSED.
enum class Compressor : std::uint8_t { Noop = 0, Snappy = 1, Zlib = 2, Zstd = 3 };

struct Header {
  std::int32_t length_bytes = 0;
  std::int32_t request_id = 0;
  std::int32_t response_to = 0;
  Opcode opcode = Opcode::Msg;
};

// `bytes` must hold at least header_bytes; the opcode may be one that has no name.
inline Header read_header(Frame bytes) {
  static_assert(sizeof(Header) == header_bytes);
  Header header;
  std::memcpy(&header, bytes.data(), header_bytes);
  return header;
}

// How a request came, so that its reply goes the same way: of a compressed message, the opcode is the inner one.
struct Envelope {
  std::int32_t request_id = 0;
  std::int32_t response_to = 0;
  Opcode opcode = Opcode::Msg;
  std::optional<Compressor> compressor = std::nullopt;
  // Of OP_MSG: OpMsgFlag bits.
  std::uint32_t flags = 0;
};

}  // namespace wire
