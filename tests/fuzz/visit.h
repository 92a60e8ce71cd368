// Reads every byte of a checked document through its views, so that a sanitizer sees a view that reaches too far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "wire/document.h"

namespace fuzz {

inline std::size_t sum_of(std::string_view text) {
  return std::accumulate(text.begin(), text.end(), std::size_t{0},
                         [](std::size_t sum, char c) { return sum + static_cast<unsigned char>(c); });
}

inline std::size_t visit(wire::DocumentView document);

inline std::size_t visit(wire::ValueView value) {
  std::size_t sum = 0;
  for (const std::uint8_t byte : value.bytes()) sum += byte;
  switch (value.type()) {
    case wire::Type::Document:
    case wire::Type::Array:
      return sum + visit(value.as_document());
    case wire::Type::String:
    case wire::Type::JavaScript:
    case wire::Type::Symbol:
      return sum + sum_of(value.as_string());
    case wire::Type::Binary:
      return sum + value.as_binary().bytes.size();
    case wire::Type::Regex:
      return sum + sum_of(value.as_regex().pattern) + sum_of(value.as_regex().options);
    case wire::Type::JavaScriptWithScope:
      return sum + sum_of(value.code()) + visit(value.scope());
    case wire::Type::DbPointer:
      return sum + sum_of(value.pointer_namespace()) + value.pointer_id().bytes[11];
    case wire::Type::Decimal128:
      return sum + value.as_decimal().low;
    case wire::Type::ObjectId:
      return sum + value.as_object_id().bytes[0];
    case wire::Type::Int32:
      return sum + static_cast<std::uint32_t>(value.as_int32());
    default:
      return sum;
  }
}

inline std::size_t visit(wire::DocumentView document) {
  std::size_t sum = document.count();
  for (const wire::Element& element : document) sum += sum_of(element.name) + visit(element.value);
  return sum;
}

}  // namespace fuzz
