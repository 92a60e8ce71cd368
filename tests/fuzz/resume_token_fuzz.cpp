// Any bytes as a token's key, with type bits of any kind: refused with FormatError, or a token whose encoding reads back the same.
#include <cstdlib>

#include "wire/format_error.h"
#include "wire/hex.h"
#include "wire/resume_token.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t bits_size = data[0] % size;
  wire::DocumentBuilder builder;
  builder.append_string("_data", wire::to_hex({data + 1 + bits_size, size - 1 - bits_size}));
  if (bits_size > 0) builder.append_binary("_typeBits", 0, {data + 1, bits_size});
  const wire::Document document = builder.finish();
  for (const auto dialect : {wire::TokenDialect::Server42, wire::TokenDialect::Server60Split}) {
    try {
      const wire::Document encoded = wire::encode(wire::decode_resume_token(document, dialect));
      if (!wire::encode(wire::decode_resume_token(encoded)).view().identical(encoded)) std::abort();
      wire::compare_tokens(document, encoded);
    } catch (const wire::FormatError&) {
    }
  }
  return 0;
}
