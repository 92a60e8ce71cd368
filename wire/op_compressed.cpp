#include "wire/op_compressed.h"

#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <array>
#include <string>

#include "wire/bytes_reader.h"

namespace wire {
namespace {

constexpr std::array<std::string_view, 4> names{"noop", "snappy", "zlib", "zstd"};

// original opcode, uncompressed size, compressor
constexpr std::size_t head_bytes = 9;

using Bytes = std::span<const std::uint8_t>;

// Whether `from` becomes exactly the bytes of `to`, of which nothing outside is written.
bool uncompress_exactly(Compressor compressor, Bytes from, std::span<std::byte> to) {
  switch (compressor) {
    case Compressor::Noop:
      if (from.size() != to.size()) return false;
      if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
      return true;
    case Compressor::Snappy: {
      const auto* source = reinterpret_cast<const char*>(from.data());
      std::size_t size = 0;
      return snappy::GetUncompressedLength(source, from.size(), &size) && size == to.size() &&
             snappy::RawUncompress(source, from.size(), reinterpret_cast<char*>(to.data()));
    }
    case Compressor::Zlib: {
      uLongf size = to.size();
      return ::uncompress(reinterpret_cast<Bytef*>(to.data()), &size, from.data(), from.size()) == Z_OK &&
             size == to.size();
    }
    case Compressor::Zstd:
      return ZSTD_decompress(to.data(), to.size(), from.data(), from.size()) == to.size();
  }
  return false;
}

std::string compress(Compressor compressor, std::string_view from) {
  switch (compressor) {
    case Compressor::Noop:
      break;
    case Compressor::Snappy: {
      std::string to;
      snappy::Compress(from.data(), from.size(), &to);
      return to;
    }
    case Compressor::Zlib: {
      uLongf size = ::compressBound(from.size());
      std::string to(size, '\0');
      if (::compress(reinterpret_cast<Bytef*>(to.data()), &size, reinterpret_cast<const Bytef*>(from.data()),
                     from.size()) != Z_OK)
        throw std::bad_alloc();
      to.resize(size);
      return to;
    }
    case Compressor::Zstd: {
      std::string to(ZSTD_compressBound(from.size()), '\0');
      const std::size_t size = ZSTD_compress(to.data(), to.size(), from.data(), from.size(), ZSTD_CLEVEL_DEFAULT);
      if (ZSTD_isError(size) != 0) throw std::bad_alloc();
      to.resize(size);
      return to;
    }
  }
  return std::string(from);
}

}  // namespace

std::string_view compressor_name(Compressor compressor) { return names[static_cast<std::size_t>(compressor)]; }

std::optional<Compressor> compressor_named(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<Compressor>(i);
  return std::nullopt;
}

Uncompressed decode_op_compressed(Frame frame) {
  BytesReader bytes = BytesReader::behind_header(frame);
  Header header = read_header(frame);
  header.opcode = static_cast<Opcode>(bytes.number<std::int32_t>());
  const auto size = bytes.number<std::int32_t>();
  const auto id = bytes.number<std::uint8_t>();
  if (header.opcode == Opcode::Compressed) throw Malformed("OP_COMPRESSED inside OP_COMPRESSED");
  if (id >= names.size()) throw Malformed("unknown compressor " + std::to_string(id));
  if (size < 0 || static_cast<std::size_t>(size) > message_bytes_max - header_bytes)
    throw Malformed("uncompressed size " + std::to_string(size) + " is out of bounds");

  Uncompressed message;
  message.compressor = static_cast<Compressor>(id);
  message.size_bytes = header_bytes + static_cast<std::size_t>(size);
  // Not zeroed: a small message that claims to be large costs address space, not memory.
  message.bytes = std::make_unique_for_overwrite<std::byte[]>(message.size_bytes);
  header.length_bytes = static_cast<std::int32_t>(message.size_bytes);
  std::memcpy(message.bytes.get(), &header, header_bytes);
  const std::span<std::byte> content(message.bytes.get() + header_bytes, static_cast<std::size_t>(size));
  if (!uncompress_exactly(message.compressor, bytes.left(), content))
    throw Malformed("a compressed message does not become " + std::to_string(size) + " bytes");
  return message;
}

Payload encode_op_compressed(const Payload& message, Compressor compressor) {
  const std::string flat = message.flatten();
  const std::string_view content = std::string_view(flat).substr(header_bytes);
  const std::string compressed = compress(compressor, content);
  Header header = read_header(std::as_bytes(std::span(flat)));
  const Opcode original = header.opcode;
  header.opcode = Opcode::Compressed;
  header.length_bytes = static_cast<std::int32_t>(header_bytes + head_bytes + compressed.size());
  std::string bytes;
  bytes.reserve(header_bytes + head_bytes + compressed.size());
  append_number(bytes, header);
  append_number(bytes, original);
  append_number(bytes, static_cast<std::int32_t>(content.size()));
  append_number(bytes, compressor);
  bytes += compressed;
  return Payload(std::move(bytes));
}

}  // namespace wire
