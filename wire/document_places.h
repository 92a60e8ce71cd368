// Places without a value: what a pipeline takes away, or writes without one, keeps its place until the document leaves the
// pipeline, as in mongod, whose documents are changed in memory. Written into the bytes as elements of types that BSON has not,
// which no checked bytes contain. Knows nothing of pipelines.
#pragma once

#include "wire/document.h"

namespace wire {

// A field without a value: DocumentView's iteration and find() pass over it.
inline constexpr ValueView field_place(static_cast<Type>(0xF8), {});
// An element of an array without a value: it is iterated, as a missing one.
inline constexpr ValueView element_place(static_cast<Type>(0xF9), {});
// Stands first, without a name, in a document that is no longer as it was stored; passed over.
inline constexpr ValueView change_mark(static_cast<Type>(0xFA), {});

// Whether the mark stands in the document.
bool is_changed(DocumentView document);
// The document with the mark.
Document as_changed(DocumentView document);
// A field; its place alone if the value is missing.
void append_placed(DocumentBuilder& out, std::string_view name, ValueView value);

// All fields of a document in their order, places too (with a missing value); not the mark.
class PlacedFields {
 public:
  explicit PlacedFields(DocumentView document);
  // False: there is no other one.
  bool next(Element& element);

 private:
  const std::uint8_t* at_;
};

// The document as BSON has it: no mark, and no places at any depth. The same buffer if it has none.
Document without_places(const Document& document);

}  // namespace wire
