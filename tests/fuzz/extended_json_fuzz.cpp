// Any bytes as Extended JSON: refused with JsonError, or a sound document that its canonical form gives back byte for byte.
#include <cstdlib>

#include "wire/document.h"
#include "wire/extended_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const wire::Document document = wire::document_from_json(text, {.duplicate_keys = wire::DuplicateKeys::Kept});
    std::size_t document_size = 0;
    if (wire::check_document(document.view().bytes(), &document_size)) std::abort();
    const std::string canonical = wire::to_json(document);
    const wire::Document again = wire::document_from_json(canonical, {.duplicate_keys = wire::DuplicateKeys::Kept});
    if (!again.view().identical(document)) std::abort();
    wire::to_json(document, wire::JsonForm::Relaxed);
  } catch (const wire::JsonError&) {
  }
  return 0;
}
