#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "wire/decimal.h"
#include "wire/format_error.h"
#include "wire/key_string.h"
#include "wire/key_string_number.h"

namespace wire {
namespace {

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t two_to_62 = std::uint64_t{1} << 62;
// Encodings of magnitudes from 2^-255 on begin here: the bits of that double, shifted.
constexpr std::uint64_t unscaled_begin = std::uint64_t{3} << 62;
constexpr std::uint64_t two_to_53 = std::uint64_t{1} << 53;

[[noreturn]] void fail(int code, std::string_view text) {
  throw FormatError(code, fmt::format("KeyString format error: {}", text));
}

// `count` bytes, read one by one as mongod does: its error names one byte.
std::uint64_t read_bytes(KeyBytes& bytes, int count, Sign sign) {
  std::uint64_t bits = 0;
  while (count-- > 0)
    bits = bits << 8 | (sign == Sign::Negative ? static_cast<std::uint8_t>(~bytes.byte()) : bytes.byte());
  return bits;
}

std::uint64_t read_eight(KeyBytes& bytes, Sign sign) {
  const std::uint64_t bits = bytes.uint64();
  return sign == Sign::Negative ? ~bits : bits;
}

double with_sign(double magnitude, Sign sign) { return sign == Sign::Negative ? -magnitude : magnitude; }

// The bytes hold a decimal's value; its exponent, and so its trailing zeros, is known from six bits.
Value finished_decimal(Decimal128 magnitude, Sign sign, TypeBitsReader& type_bits) {
  constexpr unsigned trailing_zeros_max = decimal_digits_max - 1;
  const unsigned stored = type_bits.exponent_bits();
  if (is_nan(magnitude) || is_infinite(magnitude)) return Value::decimal(magnitude);
  const int lowest = parts_of(normalize(magnitude)).exponent;
  const unsigned up = (stored - static_cast<unsigned>(lowest + decimal_exponent_bias)) & 0x3F;
  if (up > trailing_zeros_max) fail(50830, "Unexpected biased exponent in decimal.");
  const auto adjusted = with_exponent(magnitude, lowest + static_cast<int>(up));
  if (!adjusted) fail(50813, "Unexpected signaling flag for Decimal quantization.");
  return Value::decimal(sign == Sign::Negative ? negate(*adjusted) : *adjusted);
}

// Reads eight bytes: what the value has beyond `base`, in units of the last of base's 34 digits.
Decimal128 read_continuation(Decimal128 base, KeyBytes& bytes, Sign sign) {
  DecimalParts rest;
  rest.exponent = parts_of(normalize(base)).exponent;
  rest.coefficient_low = read_eight(bytes, sign);
  return add(base, decimal_of(rest));
}

Value read_marked_decimal(double magnitude, Continuation marker, KeyBytes& bytes, Sign sign,
                          TypeBitsReader& type_bits) {
  switch (marker) {
    case Continuation::Equal:
      return finished_decimal(decimal_from_double_exact(magnitude), sign, type_bits);
    case Continuation::FifteenDigits:
      return finished_decimal(decimal_from_double(magnitude, Rounding::TowardPositive), sign, type_bits);
    case Continuation::BelowFifteenDigits:
    case Continuation::AboveFifteenDigits:
      break;
  }
  const Decimal128 base = decimal_from_double_exact(magnitude, Rounding::TowardPositive);
  return finished_decimal(read_continuation(base, bytes, sign), sign, type_bits);
}

Value read_nan(TypeBitsReader& type_bits) {
  const NumberType type = type_bits.number_type();
  if (type == NumberType::Decimal) return Value::decimal(decimal_nan);
  if (type != NumberType::Double) fail(50819, "Invalid type bits for numeric NaN");
  return Value::number(std::numeric_limits<double>::quiet_NaN());
}

Value read_zero(TypeBitsReader& type_bits) {
  const TypeBitsReader::Zero zero = type_bits.zero();
  switch (zero.type) {
    case NumberType::Int32:
      return Value::int32(0);
    case NumberType::Int64:
      return Value::int64(0);
    case NumberType::Double:
      return Value::number(zero.negative ? -0.0 : 0.0);
    case NumberType::Decimal:
      break;
  }
  DecimalParts parts;
  parts.negative = zero.negative;
  parts.exponent = zero.biased_exponent - decimal_exponent_bias;
  if (parts.exponent > decimal_exponent_max) fail(50830, "Unexpected biased exponent in decimal.");
  return Value::decimal(decimal_of(parts));
}

// From 2^63 on, and the lowest int64.
Value read_large(KeyBytes& bytes, Sign sign, TypeBitsReader& type_bits) {
  const NumberType type = type_bits.number_type();
  const std::uint64_t bits = read_eight(bytes, sign);
  if (type == NumberType::Decimal && bits == ~std::uint64_t{0})
    return Value::decimal(sign == Sign::Negative ? decimal_negative_infinity : decimal_infinity);
  if (type != NumberType::Decimal && bits == ~std::uint64_t{0} && type == NumberType::Double)
    return Value::number(with_sign(std::numeric_limits<double>::infinity(), sign));
  if ((bits & top_bit) != 0 && bits != ~std::uint64_t{0}) {
    if (type != NumberType::Decimal) fail(50818, "Invalid type bits for decimal number.");
    const std::uint64_t low = read_eight(bytes, sign);
    return finished_decimal({low, bits & ~top_bit}, sign, type_bits);
  }
  const double magnitude = std::bit_cast<double>((bits | top_bit) >> 1);
  switch (type) {
    case NumberType::Int32:
      fail(50826, "Unexpected type of large number.");
    case NumberType::Int64:
      if (sign == Sign::Positive || magnitude != 9223372036854775808.0)
        fail(50821, "Unexpected value for large number.");
      return Value::int64(std::numeric_limits<std::int64_t>::min());
    case NumberType::Double:
      return Value::number(with_sign(magnitude, sign));
    case NumberType::Decimal:
      break;
  }
  return read_marked_decimal(magnitude, static_cast<Continuation>(bits & 1), bytes, sign, type_bits);
}

// Below 1: a decimal's own bytes, a scaled double, or a double with its marker.
Value read_small(KeyBytes& bytes, Sign sign, TypeBitsReader& type_bits) {
  const NumberType type = type_bits.number_type();
  const std::uint64_t bits = read_eight(bytes, sign);
  if (bits < two_to_62) {
    const Decimal128 magnitude{read_eight(bytes, sign), bits};
    if (is_nan(magnitude) || is_infinite(magnitude) || is_zero(magnitude))
      fail(50829, "Expected non-zero number for decimal.");
    return finished_decimal(magnitude, sign, type_bits);
  }
  if (bits < unscaled_begin) {
    const double scaled = std::bit_cast<double>((bits - two_to_62) >> 1);
    const bool continued = (bits & 1) != 0;
    if (type == NumberType::Double) {
      if (continued) fail(50822, "Unexpected decimal continuation.");
      return Value::number(with_sign(std::ldexp(scaled, -256), sign));
    }
    if (!continued || type != NumberType::Decimal) fail(50823, "Expected decimal continuation.");
    // Above the subnormal range a decimal is relative to the double itself, as everywhere else.
    const Decimal128 base = scaled < std::ldexp(std::numeric_limits<double>::min(), 256)
                                ? unscaled_decimal(scaled)
                                : decimal_from_double_exact(std::ldexp(scaled, -256), Rounding::TowardPositive);
    return finished_decimal(read_continuation(base, bytes, sign), sign, type_bits);
  }
  const double magnitude = std::bit_cast<double>(bits >> 2);
  const auto marker = static_cast<Continuation>(bits & 3);
  if (type == NumberType::Double) {
    if (marker != Continuation::Equal) fail(50824, "Decimal contuation mismatch.");
    return Value::number(with_sign(magnitude, sign));
  }
  if (type != NumberType::Decimal) fail(50825, "Unexpected type for small number, expected decimal.");
  return read_marked_decimal(magnitude, marker, bytes, sign, type_bits);
}

Value integer_value(std::uint64_t whole, Sign sign, NumberType type, TypeBitsReader& type_bits) {
  const auto magnitude = static_cast<std::int64_t>(whole);
  const std::int64_t value = sign == Sign::Negative ? -magnitude : magnitude;
  switch (type) {
    case NumberType::Int32:
      if (value == static_cast<std::int32_t>(value)) return Value::int32(static_cast<std::int32_t>(value));
      return Value::int64(value);
    case NumberType::Int64:
      return Value::int64(value);
    case NumberType::Double:
      return Value::number(static_cast<double>(value));
    case NumberType::Decimal:
      break;
  }
  return finished_decimal(decimal_from_int64(magnitude), sign, type_bits);
}

// An integer part of `count` bytes from 1 up to 2^63, perhaps with a fraction.
Value read_medium(int count, KeyBytes& bytes, Sign sign, TypeBitsReader& type_bits) {
  const NumberType type = type_bits.number_type();
  const std::uint64_t shifted = read_bytes(bytes, count, sign);
  const std::uint64_t whole = shifted >> 1;
  if ((shifted & 1) == 0) return integer_value(whole, sign, type, type_bits);
  const int fraction_bytes = 8 - count;
  std::uint64_t fraction = read_bytes(bytes, fraction_bytes, sign);
  if (type != NumberType::Double && type != NumberType::Decimal) fail(50810, "Expected type Decimal.");
  if (type == NumberType::Decimal && whole >= two_to_53) {
    const Decimal128 base = decimal_from_int64(static_cast<std::int64_t>(whole));
    return finished_decimal(read_continuation(base, bytes, sign), sign, type_bits);
  }
  if (fraction_bytes == 0) return Value::number(with_sign(static_cast<double>(whole), sign));
  const auto marker = static_cast<Continuation>(fraction & 3);
  fraction &= ~std::uint64_t{3};
  // Undo floor(magnitude * 256^f) + (whole + 1) * 256^f.
  const std::uint64_t bits = (shifted << (8 * fraction_bytes) | fraction) - ((whole + 1) << (8 * fraction_bytes));
  const double magnitude = std::ldexp(static_cast<double>(bits), -8 * fraction_bytes);
  if (type == NumberType::Decimal) return read_marked_decimal(magnitude, marker, bytes, sign, type_bits);
  return Value::number(with_sign(magnitude, sign));
}

}  // namespace

std::span<const std::uint8_t> KeyBytes::take(std::size_t count) {
  if (rest_.size() < count)
    throw FormatError(15, fmt::format("Invalid advance ({}) past end of buffer[{}] at offset: 0", count, rest_.size()));
  const auto taken = rest_.first(count);
  rest_ = rest_.subspan(count);
  return taken;
}

std::span<const std::uint8_t> KeyBytes::until_nul() {
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != 0) ++end;
  if (end == rest_.size()) fail(50816, "Failed to find null terminator in string.");
  const auto taken = rest_.first(end);
  rest_ = rest_.subspan(end + 1);
  return taken;
}

std::uint32_t KeyBytes::uint32() {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : take(4)) value = value << 8 | byte;
  return value;
}

std::uint64_t KeyBytes::uint64() {
  std::uint64_t value = 0;
  for (const std::uint8_t byte : take(8)) value = value << 8 | byte;
  return value;
}

bool is_key_number(std::uint8_t type_byte) {
  return type_byte >= key_byte::nan && type_byte <= key_byte::positive_large;
}

Value read_key_number(std::uint8_t type_byte, KeyBytes& bytes, TypeBitsReader& type_bits) {
  switch (type_byte) {
    case key_byte::nan:
      return read_nan(type_bits);
    case key_byte::zero:
      return read_zero(type_bits);
    case key_byte::negative_large:
      return read_large(bytes, Sign::Negative, type_bits);
    case key_byte::positive_large:
      return read_large(bytes, Sign::Positive, type_bits);
    case key_byte::negative_small:
      return read_small(bytes, Sign::Negative, type_bits);
    case key_byte::positive_small:
      return read_small(bytes, Sign::Positive, type_bits);
    default:
      if (type_byte >= key_byte::positive_1_byte)
        return read_medium(type_byte - key_byte::positive_1_byte + 1, bytes, Sign::Positive, type_bits);
      return read_medium(key_byte::negative_1_byte - type_byte + 1, bytes, Sign::Negative, type_bits);
  }
}

}  // namespace wire
