// Any bytes as a KeyString: refused with FormatError, or read into values that are sound BSON.
#include <cstdlib>

#include "wire/document.h"
#include "wire/format_error.h"
#include "wire/key_string.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte cuts the rest into type bits and key.
  const std::size_t bits_size = data[0] % size;
  const std::span<const std::uint8_t> bits(data + 1, bits_size);
  const std::span<const std::uint8_t> key(data + 1 + bits_size, size - 1 - bits_size);
  try {
    const wire::TypeBits type_bits = wire::TypeBits::parse(bits);
    wire::KeyStringReader reader(key, type_bits);
    wire::DocumentBuilder builder;
    wire::KeyStringBuilder again;
    while (const auto value = reader.next()) {
      builder.append("", *value);
      again.append(*value);
    }
    std::size_t document_size = 0;
    if (wire::check_document(builder.view().bytes(), &document_size)) std::abort();
    again.finish();
  } catch (const wire::FormatError&) {
  }
  return 0;
}
