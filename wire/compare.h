// MongoDB's order of BSON values across all types, and a hash that agrees with it. Knows no collation and no index.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

#include "wire/document.h"

namespace wire {

// Types that compare by value share a class; between classes the class decides (the "comparison/sort order" of the manual).
// Missing and undefined are one class below null.
enum class CanonicalType : std::uint8_t {
  MinKey,
  Undefined,
  Null,
  Number,
  String,
  Object,
  Array,
  Binary,
  ObjectId,
  Bool,
  Date,
  Timestamp,
  Regex,
  DbPointer,
  Code,
  CodeWithScope,
  MaxKey,
};
CanonicalType canonical_type(Type type);

// Numbers compare exactly across the four numeric types (2^53 + 1 as int64 is above 2^53 as double), NaN is below all of them and equal
// to itself, -0.0 equals 0. Objects compare field by field: class, then name, then value; arrays element by element; binary by length,
// subtype, bytes; strings and symbols bytewise.
std::weak_ordering compare_values(ValueView left, ValueView right);
std::weak_ordering compare_documents(DocumentView left, DocumentView right);
// The same, the names of the top-level fields left out: the order of index and sort keys.
std::weak_ordering compare_documents_without_names(DocumentView left, DocumentView right);
inline bool equal_values(ValueView left, ValueView right) { return compare_values(left, right) == 0; }

// Values that compare equal have the same hash: 1, 1.0 and the decimal 1.00 do.
std::size_t hash_value(ValueView value);

// For ordered and unordered containers of Value or ValueView.
struct ValueLess {
  using is_transparent = void;
  bool operator()(ValueView left, ValueView right) const { return compare_values(left, right) < 0; }
};
struct ValueHash {
  using is_transparent = void;
  std::size_t operator()(ValueView value) const { return hash_value(value); }
};
struct ValueEqual {
  using is_transparent = void;
  bool operator()(ValueView left, ValueView right) const { return equal_values(left, right); }
};

}  // namespace wire
