// Bytes that check_document accepts can be read in full and written again.
#include <cstdlib>

#include "tests/fuzz/visit.h"
#include "wire/document.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t document_bytes = 0;
  if (wire::check_document({data, size}, &document_bytes)) return 0;
  if (document_bytes > size) std::abort();
  const wire::DocumentView view(data);
  // The sum keeps the reads from being optimised away.
  if (fuzz::visit(view) == 0 && !view.empty() && view.count() == 0) std::abort();
  wire::DocumentBuilder builder;
  for (const wire::Element& element : view) builder.append(element.name, element.value);
  if (!builder.finish().view().identical(view)) std::abort();
  return 0;
}
