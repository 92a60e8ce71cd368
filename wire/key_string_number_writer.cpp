#include <bit>
#include <cmath>
#include <limits>

#include "wire/decimal.h"
#include "wire/key_string.h"
#include "wire/key_string_number.h"

namespace wire {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_53 = 9007199254740992.0;
const double smallest_unscaled = std::ldexp(1.0, -255);
constexpr std::uint64_t two_to_62 = std::uint64_t{1} << 62;
constexpr std::uint64_t top_bit = std::uint64_t{1} << 63;

std::uint64_t has_continuation(Continuation marker) { return marker == Continuation::Equal ? 0 : 1; }

void append_byte(std::string& out, std::uint8_t byte) { out += static_cast<char>(byte); }

// The low `count` bytes, most significant first; a negative number's are inverted so that they sort downwards.
void append_bytes(std::string& out, std::uint64_t bits, int count, Sign sign) {
  if (sign == Sign::Negative) bits = ~bits;
  while (count-- > 0) append_byte(out, static_cast<std::uint8_t>(bits >> (8 * count)));
}

int bytes_needed(std::uint64_t bits) { return (71 - std::countl_zero(bits | 1)) / 8; }

// `shifted` is the magnitude's integer part times two, plus one when a fraction follows.
void append_integer_part(std::string& out, std::uint64_t shifted, Sign sign) {
  const int count = bytes_needed(shifted);
  append_byte(out, static_cast<std::uint8_t>(sign == Sign::Positive ? key_byte::positive_1_byte + count - 1
                                                                    : key_byte::negative_1_byte - (count - 1)));
  append_bytes(out, shifted, count, sign);
}

void append_small_double(std::string& out, double magnitude, Sign sign, Continuation marker) {
  append_byte(out, sign == Sign::Positive ? key_byte::positive_small : key_byte::negative_small);
  if (magnitude >= smallest_unscaled) {
    append_bytes(out, std::bit_cast<std::uint64_t>(magnitude) << 2 | static_cast<std::uint64_t>(marker), 8, sign);
    return;
  }
  const auto scaled = std::bit_cast<std::uint64_t>(std::ldexp(magnitude, 256));
  append_bytes(out, (scaled << 1 | has_continuation(marker)) + two_to_62, 8, sign);
}

void append_large_double(std::string& out, double magnitude, Sign sign, Continuation marker) {
  append_byte(out, sign == Sign::Positive ? key_byte::positive_large : key_byte::negative_large);
  const std::uint64_t bits =
      std::isinf(magnitude) ? ~std::uint64_t{0}
                            : ((std::bit_cast<std::uint64_t>(magnitude) << 1) & ~top_bit) | has_continuation(marker);
  append_bytes(out, bits, 8, sign);
}

// A magnitude from 1 up to 2^63 that has a fraction, or stands for a decimal that has one.
void append_fractional_double(std::string& out, double magnitude, Sign sign, Continuation marker) {
  const auto whole = static_cast<std::uint64_t>(magnitude);
  const int fraction_bytes = 8 - bytes_needed(whole << 1);
  append_byte(out, static_cast<std::uint8_t>(sign == Sign::Positive ? key_byte::positive_8_bytes - fraction_bytes
                                                                    : key_byte::negative_8_bytes + fraction_bytes));
  const auto scaled = static_cast<std::uint64_t>(std::ldexp(magnitude, 8 * fraction_bytes));
  const std::uint64_t bits = scaled + ((whole + 1) << (8 * fraction_bytes));
  append_bytes(out, (bits & ~std::uint64_t{3}) | static_cast<std::uint64_t>(marker), 8, sign);
}

void append_marked_double(std::string& out, double magnitude, Sign sign, Continuation marker) {
  if (magnitude >= two_to_63)
    append_large_double(out, magnitude, sign, marker);
  else if (magnitude < 1)
    append_small_double(out, magnitude, sign, marker);
  else if (marker == Continuation::Equal && std::trunc(magnitude) == magnitude)
    append_integer_part(out, static_cast<std::uint64_t>(magnitude) << 1, sign);
  else
    append_fractional_double(out, magnitude, sign, marker);
}

// What `value` has beyond `base`, counted in units of the last of base's 34 digits.
void append_continuation(std::string& out, Decimal128 value, Decimal128 base, Sign sign) {
  const int exponent = parts_of(normalize(base)).exponent;
  const Decimal128 rest = quantize(subtract(value, base), -exponent, Rounding::TowardZero);
  append_bytes(out, parts_of(rest).coefficient_low, 8, sign);
}

void append_whole_decimal(std::string& out, std::uint8_t type_byte, Decimal128 magnitude, std::uint64_t high_bit,
                          Sign sign) {
  const Decimal128 normal = normalize(magnitude);
  append_byte(out, type_byte);
  append_bytes(out, normal.high | high_bit, 8, sign);
  append_bytes(out, normal.low, 8, sign);
}

void append_subnormal_decimal(std::string& out, Decimal128 magnitude, Sign sign) {
  const double scaled = scaled_double(magnitude);
  append_byte(out, sign == Sign::Positive ? key_byte::positive_small : key_byte::negative_small);
  append_bytes(out, (std::bit_cast<std::uint64_t>(scaled) << 1 | 1) + two_to_62, 8, sign);
  append_continuation(out, magnitude, unscaled_decimal(scaled), sign);
}

// Magnitudes from 2^53 up to 2^63 hold their integer part exactly, unlike a double.
void append_integer_decimal(std::string& out, Decimal128 magnitude, Sign sign) {
  const std::int64_t whole = decimal_to_int64(magnitude).value_or(0);
  const Decimal128 base = decimal_from_int64(whole);
  const bool has_fraction = compare(base, magnitude) != std::partial_ordering::equivalent;
  const std::uint64_t shifted = static_cast<std::uint64_t>(whole) << 1 | (has_fraction ? 1U : 0U);
  append_integer_part(out, shifted, sign);
  if (!has_fraction) return;
  append_bytes(out, static_cast<std::uint64_t>(Continuation::AboveFifteenDigits), 8 - bytes_needed(shifted), sign);
  append_continuation(out, magnitude, base, sign);
}

void append_inexact_decimal(std::string& out, Decimal128 magnitude, double below, Sign sign) {
  constexpr std::uint64_t fifteen_digits_end = 1'000'000'000'000'000;
  const DecimalParts parts = parts_of(magnitude);
  if (parts.coefficient_high == 0 && parts.coefficient_low < fifteen_digits_end)
    return append_marked_double(out, below, sign, Continuation::FifteenDigits);
  const auto order = compare(magnitude, decimal_from_double(below, Rounding::TowardPositive));
  if (order == std::partial_ordering::equivalent)
    return append_marked_double(out, below, sign, Continuation::FifteenDigits);
  append_marked_double(
      out, below, sign,
      order == std::partial_ordering::less ? Continuation::BelowFifteenDigits : Continuation::AboveFifteenDigits);
  append_continuation(out, magnitude, decimal_from_double_exact(below, Rounding::TowardPositive), sign);
}

Decimal128 power_of_two(int exponent) {
  return decimal_from_double_exact(std::ldexp(1.0, exponent), Rounding::TowardZero);
}

}  // namespace

double scaled_double(Decimal128 magnitude) {
  return decimal_to_double(multiply(magnitude, power_of_two(256), Rounding::TowardZero), Rounding::TowardZero);
}

Decimal128 unscaled_decimal(double scaled) {
  return multiply(decimal_from_double_exact(scaled, Rounding::TowardZero), power_of_two(-256), Rounding::TowardZero);
}

void append_key_integer(std::string& out, std::int64_t value) {
  if (value == 0) return append_byte(out, key_byte::zero);
  if (value == std::numeric_limits<std::int64_t>::min()) return append_key_double(out, -two_to_63);
  const Sign sign = value < 0 ? Sign::Negative : Sign::Positive;
  append_integer_part(out, static_cast<std::uint64_t>(value < 0 ? -value : value) << 1, sign);
}

void append_key_double(std::string& out, double value) {
  if (std::isnan(value)) return append_byte(out, key_byte::nan);
  if (value == 0) return append_byte(out, key_byte::zero);
  append_marked_double(out, std::fabs(value), value < 0 ? Sign::Negative : Sign::Positive, Continuation::Equal);
}

void append_key_decimal(std::string& out, Decimal128 value) {
  if (is_nan(value)) return append_byte(out, key_byte::nan);
  if (is_zero(value)) return append_byte(out, key_byte::zero);
  const Sign sign = is_negative(value) ? Sign::Negative : Sign::Positive;
  const bool negative = sign == Sign::Negative;
  if (is_infinite(value))
    return append_large_double(out, std::numeric_limits<double>::infinity(), sign, Continuation::Equal);
  const Decimal128 magnitude = abs(value);
  const auto [below, exact] = decimal_to_double_checked(magnitude, Rounding::TowardZero);
  if (exact) return append_marked_double(out, below, sign, Continuation::Equal);
  if (below == 0)
    return append_whole_decimal(out, negative ? key_byte::negative_small : key_byte::positive_small, magnitude, 0,
                                sign);
  if (below < std::numeric_limits<double>::min()) return append_subnormal_decimal(out, magnitude, sign);
  if (below == std::numeric_limits<double>::max())
    return append_whole_decimal(out, negative ? key_byte::negative_large : key_byte::positive_large, magnitude, top_bit,
                                sign);
  if (below >= two_to_63 || below < smallest_unscaled) {
    append_marked_double(out, below, sign, Continuation::AboveFifteenDigits);
    return append_continuation(out, magnitude, decimal_from_double_exact(below, Rounding::TowardPositive), sign);
  }
  if (below >= two_to_53) return append_integer_decimal(out, magnitude, sign);
  append_inexact_decimal(out, magnitude, below, sign);
}

}  // namespace wire
