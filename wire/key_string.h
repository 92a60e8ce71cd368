// KeyString, version 1, ascending: BSON values as bytes whose memcmp order is MongoDB's order of the values, both ways.
// Knows nothing of resume tokens and indexes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "wire/document.h"
#include "wire/type_bits.h"

namespace wire {

namespace key_byte {
inline constexpr std::uint8_t less = 0x01;
inline constexpr std::uint8_t end = 0x04;
inline constexpr std::uint8_t min_key = 0x0A;
inline constexpr std::uint8_t undefined = 0x0F;
inline constexpr std::uint8_t null = 0x14;
inline constexpr std::uint8_t nan = 0x1E;
inline constexpr std::uint8_t number = 0x1E;  // the generic byte of all numbers
inline constexpr std::uint8_t negative_large = 0x1F;
inline constexpr std::uint8_t negative_8_bytes = 0x20;
inline constexpr std::uint8_t negative_1_byte = 0x27;
inline constexpr std::uint8_t negative_small = 0x28;
inline constexpr std::uint8_t zero = 0x29;
inline constexpr std::uint8_t positive_small = 0x2A;
inline constexpr std::uint8_t positive_1_byte = 0x2B;
inline constexpr std::uint8_t positive_8_bytes = 0x32;
inline constexpr std::uint8_t positive_large = 0x33;
inline constexpr std::uint8_t string = 0x3C;
inline constexpr std::uint8_t object = 0x46;
inline constexpr std::uint8_t array = 0x50;
inline constexpr std::uint8_t binary = 0x5A;
inline constexpr std::uint8_t object_id = 0x64;
inline constexpr std::uint8_t bool_false = 0x6E;  // and the generic byte of both
inline constexpr std::uint8_t bool_true = 0x6F;
inline constexpr std::uint8_t date = 0x78;
inline constexpr std::uint8_t timestamp = 0x82;
inline constexpr std::uint8_t regex = 0x8C;
inline constexpr std::uint8_t db_pointer = 0x96;
inline constexpr std::uint8_t code = 0xA0;
inline constexpr std::uint8_t code_with_scope = 0xAA;
inline constexpr std::uint8_t max_key = 0xF0;
inline constexpr std::uint8_t greater = 0xFE;
}  // namespace key_byte

struct KeyString {
  std::string bytes;
  TypeBits type_bits;
};

// Writes one key: append every value, then finish().
class KeyStringBuilder {
 public:
  KeyStringBuilder() = default;
  // With room for so many bytes.
  explicit KeyStringBuilder(std::size_t expected_bytes) { key_.bytes.reserve(expected_bytes); }
  // A missing value is written as null.
  KeyStringBuilder& append(ValueView value);
  // Writes the end byte and gives the key; the builder is empty afterwards.
  KeyString finish();

 private:
  KeyString key_;
};

// Reads the values of a key one after the other. Bytes that no KeyString has throw FormatError with mongod's code and text.
class KeyStringReader {
 public:
  // Both must outlive the reader. With no type bits every number is an int32 where it fits and every text a string.
  explicit KeyStringReader(std::span<const std::uint8_t> bytes) : KeyStringReader(bytes, no_type_bits) {}
  KeyStringReader(std::span<const std::uint8_t> bytes, const TypeBits& type_bits)
      : rest_(bytes), type_bits_(type_bits) {}
  // nullopt after the end byte, or where the bytes end in its place.
  std::optional<Value> next();

 private:
  static const TypeBits no_type_bits;
  std::span<const std::uint8_t> rest_;
  TypeBitsReader type_bits_;
  bool ended_ = false;
};

// The bytes of one value without its type bits, appended.
void append_key_string(std::string& out, ValueView value);
// Whether its type bits are all 0: no number but int32, no symbol, at any depth. Then append_key_string is the whole truth.
bool type_bits_are_zero(ValueView value);

// The fast path of the usual document key, one field `{name: int32 | int64 | string without NUL | ObjectId}`, read once
// from a document that begins with that field. Views that document.
struct SimpleKey {
  Type type = Type::EndOfDocument;        // EndOfDocument: the field is anything else
  std::span<const std::uint8_t> element;  // as BSON has it: type, name, NUL, value
  std::size_t name_bytes = 0;
  std::size_t encoded_bytes = 0;  // of the key's encoding as an object

  explicit operator bool() const { return type != Type::EndOfDocument; }
  std::string_view name() const { return {reinterpret_cast<const char*>(element.data()) + 1, name_bytes}; }
  bool is_id() const { return name_bytes == 3 && std::memcmp(element.data() + 1, "_id", 3) == 0; }
  std::span<const std::uint8_t> value() const { return element.subspan(name_bytes + 2); }
  // Of the simple ones, int64 alone needs a type bit.
  bool has_type_bits() const { return type == Type::Int64; }
};
SimpleKey simple_key(DocumentView document);
// Writes exactly encoded_bytes; returns the end. The type bits are the caller's.
std::uint8_t* write_simple_key(std::uint8_t* out, const SimpleKey& key);

}  // namespace wire
