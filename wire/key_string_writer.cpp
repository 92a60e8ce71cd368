#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "wire/decimal.h"
#include "wire/key_string.h"
#include "wire/key_string_number.h"

namespace wire {
namespace {

void append_byte(std::string& out, std::uint8_t byte) { out += static_cast<char>(byte); }

template <class Integer>
void append_big_endian(std::string& out, Integer value) {
  std::array<char, sizeof value> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(value >> (8 * (bytes.size() - 1 - i)));
  out.append(bytes.data(), bytes.size());
}

void append_raw(std::string& out, std::span<const std::uint8_t> bytes) {
  out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

// NUL inside becomes 00 FF, so that the final 00 sorts first.
void append_text(std::string& out, std::string_view text) {
  for (;;) {
    const std::size_t nul = text.find('\0');
    out.append(text.substr(0, nul));
    append_byte(out, 0);
    if (nul == std::string_view::npos) return;
    append_byte(out, 0xFF);
    text.remove_prefix(nul + 1);
  }
}

std::uint8_t type_byte(ValueView value) {
  switch (value.type()) {
    case Type::MinKey:
      return key_byte::min_key;
    case Type::Undefined:
      return key_byte::undefined;
    case Type::EndOfDocument:
    case Type::Null:
      return key_byte::null;
    case Type::Double:
    case Type::Int32:
    case Type::Int64:
    case Type::Decimal128:
      return key_byte::number;
    case Type::String:
    case Type::Symbol:
      return key_byte::string;
    case Type::Document:
      return key_byte::object;
    case Type::Array:
      return key_byte::array;
    case Type::Binary:
      return key_byte::binary;
    case Type::ObjectId:
      return key_byte::object_id;
    case Type::Bool:
      return key_byte::bool_false;
    case Type::DateTime:
      return key_byte::date;
    case Type::Timestamp:
      return key_byte::timestamp;
    case Type::Regex:
      return key_byte::regex;
    case Type::DbPointer:
      return key_byte::db_pointer;
    case Type::JavaScript:
      return key_byte::code;
    case Type::JavaScriptWithScope:
      return key_byte::code_with_scope;
    case Type::MaxKey:
      break;
  }
  return key_byte::max_key;
}

// Writes values and, unless they are not wanted, their type bits.
class Encoder {
 public:
  Encoder(std::string& out, TypeBits* type_bits) : out_(out), type_bits_(type_bits) {}

  void append(ValueView value) {
    if (value.is_number()) return append_number(value);
    append_byte(out_, value.is(Type::Bool) && value.as_bool() ? key_byte::bool_true : type_byte(value));
    append_body(value);
  }

 private:
  void append_number(ValueView value) {
    switch (value.type()) {
      case Type::Int32:
        if (type_bits_ != nullptr) type_bits_->append_int32();
        return append_key_integer(out_, value.as_int32());
      case Type::Int64:
        if (type_bits_ != nullptr) type_bits_->append_int64();
        return append_key_integer(out_, value.as_int64());
      case Type::Double:
        if (type_bits_ != nullptr) append_double_bits(value.as_double());
        return append_key_double(out_, value.as_double());
      default:
        if (type_bits_ != nullptr) append_decimal_bits(value.as_decimal());
        return append_key_decimal(out_, value.as_decimal());
    }
  }

  void append_double_bits(double value) {
    if (value == 0 && std::signbit(value))
      type_bits_->append_negative_zero();
    else
      type_bits_->append_double();
  }

  void append_decimal_bits(Decimal128 value) {
    if (is_nan(value) || is_infinite(value)) return type_bits_->append_decimal();
    const DecimalParts parts = parts_of(value);
    const int biased_exponent = parts.exponent + decimal_exponent_bias;
    if (!parts.is_zero()) return type_bits_->append_decimal(biased_exponent);
    parts.negative ? type_bits_->append_negative_decimal_zero(biased_exponent)
                   : type_bits_->append_decimal_zero(biased_exponent);
  }

  void append_binary(BinaryView value) {
    constexpr std::size_t long_size = 0xFF;
    if (value.bytes.size() < long_size) {
      append_byte(out_, static_cast<std::uint8_t>(value.bytes.size()));
    } else {
      append_byte(out_, static_cast<std::uint8_t>(long_size));
      append_big_endian(out_, static_cast<std::uint32_t>(value.bytes.size()));
    }
    append_byte(out_, value.subtype);
    append_raw(out_, value.bytes);
  }

  void append_fields(DocumentView document) {
    for (const Element& element : document) {
      append_byte(out_, type_byte(element.value));
      out_.append(element.name);
      append_byte(out_, 0);
      append(element.value);
    }
    append_byte(out_, 0);
  }

  void append_items(DocumentView array) {
    for (const Element& element : array) append(element.value);
    append_byte(out_, 0);
  }

  void append_regex(RegexView value) {
    out_.append(value.pattern).append(1, '\0').append(value.options).append(1, '\0');
  }

  void append_body(ValueView value) {
    constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    switch (value.type()) {
      case Type::String:
      case Type::Symbol:
        if (type_bits_ != nullptr) value.is(Type::Symbol) ? type_bits_->append_symbol() : type_bits_->append_string();
        [[fallthrough]];
      case Type::JavaScript:
        return append_text(out_, value.as_string());
      case Type::Document:
        return append_fields(value.as_document());
      case Type::Array:
        return append_items(value.as_document());
      case Type::Binary:
        return append_binary(value.as_binary());
      case Type::ObjectId:
        return append_raw(out_, value.bytes());
      case Type::DateTime:
        return append_big_endian(out_, static_cast<std::uint64_t>(value.as_date_ms()) ^ sign_bit);
      case Type::Timestamp:
        return append_big_endian(out_, value.as_timestamp().bits());
      case Type::Regex:
        return append_regex(value.as_regex());
      case Type::DbPointer:
        append_big_endian(out_, static_cast<std::uint32_t>(value.pointer_namespace().size()));
        out_.append(value.pointer_namespace());
        return append_raw(out_, value.pointer_id().bytes);
      case Type::JavaScriptWithScope:
        append_text(out_, value.code());
        return append_fields(value.scope());
      default:
        return;
    }
  }

  std::string& out_;
  TypeBits* type_bits_;
};

// 0 for 0. Shifted by one bit, the magnitude of an int64 has up to 64 bits.
int integer_bytes(std::uint64_t shifted) { return (71 - std::countl_zero(shifted)) / 8; }

std::int64_t integer_of(const SimpleKey& key) {
  const ValueView value(key.type, key.value());
  return key.type == Type::Int32 ? value.as_int32() : value.as_int64();
}

std::uint64_t shifted_magnitude(std::int64_t value) {
  return static_cast<std::uint64_t>(value < 0 ? -value : value) << 1;
}

std::uint8_t* write_simple_integer(std::uint8_t* out, std::int64_t value) {
  const std::uint64_t shifted = shifted_magnitude(value);
  const int count = integer_bytes(shifted);
  const std::uint64_t bits = value < 0 ? ~shifted : shifted;
  if (count == 0)
    *out++ = key_byte::zero;
  else
    *out++ = static_cast<std::uint8_t>(value < 0 ? key_byte::negative_1_byte - (count - 1)
                                                 : key_byte::positive_1_byte + count - 1);
  for (int left = count; left-- > 0;) *out++ = static_cast<std::uint8_t>(bits >> (8 * left));
  return out;
}

std::size_t name_bytes_at(const std::uint8_t* name) {
  static constexpr std::array<std::uint8_t, 4> id{'_', 'i', 'd', 0};
  // Nearly every key's; the shortest element with a value has more bytes than these.
  if (std::memcmp(name, id.data(), id.size()) == 0) return id.size() - 1;
  return std::strlen(reinterpret_cast<const char*>(name));
}

// The object's own type byte and end; the field's generic byte, the name's NUL, the value's type byte.
constexpr std::size_t simple_overhead_bytes = 5;

}  // namespace

KeyStringBuilder& KeyStringBuilder::append(ValueView value) {
  Encoder(key_.bytes, &key_.type_bits).append(value);
  return *this;
}

KeyString KeyStringBuilder::finish() {
  append_byte(key_.bytes, key_byte::end);
  return std::exchange(key_, {});
}

void append_key_string(std::string& out, ValueView value) { Encoder(out, nullptr).append(value); }

bool type_bits_are_zero(ValueView value) {
  switch (value.type()) {
    case Type::Int64:
    case Type::Double:
    case Type::Decimal128:
    case Type::Symbol:
      return false;
    case Type::Document:
    case Type::Array:
    case Type::JavaScriptWithScope:
      break;
    default:
      return true;
  }
  const DocumentView document = value.is(Type::JavaScriptWithScope) ? value.scope() : value.as_document();
  for (const Element& element : document)
    if (!type_bits_are_zero(element.value)) return false;
  return true;
}

SimpleKey simple_key(DocumentView document) {
  const std::uint8_t* const element = document.data() + 4;
  const auto type = static_cast<Type>(*element);
  if (type != Type::Int32 && type != Type::Int64 && type != Type::String && type != Type::ObjectId) return {};
  SimpleKey key{.type = type, .element = {}, .name_bytes = name_bytes_at(element + 1), .encoded_bytes = 0};
  const std::size_t before_value = 1 + key.name_bytes + 1;
  const auto ends_after = [&](std::size_t value_bytes) { key.element = {element, before_value + value_bytes}; };
  std::size_t encoded_value = 0;
  if (type == Type::ObjectId) {
    ends_after(encoded_value = sizeof(ObjectId));
  } else if (type == Type::String) {
    std::uint32_t length;
    std::memcpy(&length, element + before_value, sizeof length);
    if (std::memchr(element + before_value + sizeof length, 0, length - 1) != nullptr) return {};
    ends_after(sizeof length + length);
    encoded_value = length;
  } else {
    ends_after(type == Type::Int32 ? 4 : 8);
    const std::int64_t value = integer_of(key);
    // Its magnitude does not fit: it is written as a double.
    if (value == std::numeric_limits<std::int64_t>::min()) return {};
    encoded_value = static_cast<std::size_t>(integer_bytes(shifted_magnitude(value)));
  }
  key.encoded_bytes = simple_overhead_bytes + key.name_bytes + encoded_value;
  return key;
}

std::uint8_t* write_simple_key(std::uint8_t* out, const SimpleKey& key) {
  const auto put = [&out](const void* bytes, std::size_t count) {
    std::memcpy(out, bytes, count);
    out += count;
  };
  const bool is_integer = key.type == Type::Int32 || key.type == Type::Int64;
  *out++ = key_byte::object;
  *out++ = is_integer ? key_byte::number : key.type == Type::ObjectId ? key_byte::object_id : key_byte::string;
  // The name with its NUL.
  put(key.name().data(), key.name_bytes + 1);
  if (is_integer) {
    out = write_simple_integer(out, integer_of(key));
  } else if (key.type == Type::ObjectId) {
    *out++ = key_byte::object_id;
    put(key.value().data(), sizeof(ObjectId));
  } else {
    *out++ = key_byte::string;
    put(key.value().data() + 4, key.value().size() - 4);
  }
  *out++ = 0;
  return out;
}

}  // namespace wire
