// OP_COMPRESSED from anywhere is refused or becomes exactly what it claims; what is compressed comes back.
// The first byte of the input says the compressor, the rest is what is behind the message's header.
#include <cstdlib>
#include <cstring>
#include <string>

#include "wire/malformed.h"
#include "wire/op_compressed.h"

namespace {

std::string message(wire::Opcode opcode, const std::uint8_t* content, std::size_t size) {
  const wire::Header header{static_cast<std::int32_t>(wire::header_bytes + size), 1, 2, opcode};
  std::string bytes(wire::header_bytes, '\0');
  std::memcpy(bytes.data(), &header, wire::header_bytes);
  return bytes.append(reinterpret_cast<const char*>(content), size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    const std::string any = message(wire::Opcode::Compressed, data + 1, size - 1);
    const wire::Uncompressed read = wire::decode_op_compressed(std::as_bytes(std::span(any)));
    if (wire::read_header(read.frame()).length_bytes != static_cast<std::int32_t>(read.size_bytes)) std::abort();
  } catch (const wire::Malformed&) {
    // Refused: nothing more to ask of it.
  }
  const std::string plain = message(wire::Opcode::Msg, data + 1, size - 1);
  const auto compressor = static_cast<wire::Compressor>(data[0] % 4);
  const std::string flat = wire::encode_op_compressed(wire::Payload(plain), compressor).flatten();
  const wire::Uncompressed back = wire::decode_op_compressed(std::as_bytes(std::span(flat)));
  if (back.size_bytes != plain.size() || std::memcmp(back.bytes.get(), plain.data(), plain.size()) != 0) std::abort();
  return 0;
}
