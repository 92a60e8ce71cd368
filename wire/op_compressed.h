// OP_COMPRESSED around another message. Knows the four compressors, not which of them a connection has agreed on.
// https://github.com/mongodb/specifications/blob/master/source/compression/OP_COMPRESSED.md
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "wire/header.h"
#include "wire/payload.h"

namespace wire {

// The name in hello's `compression`: "noop", "snappy", "zlib", "zstd".
std::string_view compressor_name(Compressor compressor);
std::optional<Compressor> compressor_named(std::string_view name);

// A whole message that owns its bytes.
struct Uncompressed {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t size_bytes = 0;
  Compressor compressor = Compressor::Noop;

  Frame frame() const { return {bytes.get(), size_bytes}; }
};

// The message inside, with the header that it had: ids as given, the original opcode, its own length.
// Throws Malformed for everything that is wrong: unknown compressor, OP_COMPRESSED inside, a size above
// message_bytes_max, bytes that do not become exactly uncompressedSize bytes. (mongod 6.0.5 closes too, but lets zlib
// end early.)
Uncompressed decode_op_compressed(Frame frame);

// `message` (whole, with its header) inside OP_COMPRESSED.
Payload encode_op_compressed(const Payload& message, Compressor compressor);

}  // namespace wire
