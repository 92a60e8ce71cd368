#include "wire/decimal.h"

#include <cmath>

#include "wire/intel_decimal.h"

namespace wire {
namespace {

__extension__ using Wide = unsigned __int128;

_IDEC_round mode(Rounding rounding) {
  switch (rounding) {
    case Rounding::TowardNegative:
      return BID_ROUNDING_DOWN;
    case Rounding::TowardPositive:
      return BID_ROUNDING_UP;
    case Rounding::TowardZero:
      return BID_ROUNDING_TO_ZERO;
    case Rounding::TiesAway:
      return BID_ROUNDING_TIES_AWAY;
    case Rounding::TiesToEven:
      break;
  }
  return BID_ROUNDING_TO_NEAREST;
}

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t nan_bits = 0x7C00000000000000U;
constexpr std::uint64_t infinity_bits = 0x7800000000000000U;

constexpr Wide power_of_ten(int exponent) {
  Wide value = 1;
  while (exponent-- > 0) value *= 10;
  return value;
}
constexpr Wide coefficient_end = power_of_ten(decimal_digits_max);

Wide coefficient(const DecimalParts& parts) { return (Wide{parts.coefficient_high} << 64) | parts.coefficient_low; }

void set_coefficient(DecimalParts& parts, Wide value) {
  parts.coefficient_high = static_cast<std::uint64_t>(value >> 64);
  parts.coefficient_low = static_cast<std::uint64_t>(value);
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view text, std::string_view lower_text) {
  if (text.size() != lower_text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (lower(text[i]) != lower_text[i]) return false;
  return true;
}

std::size_t skip_digits(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at;
}

// Digits, perhaps a point, perhaps an exponent: what follows the sign.
bool is_number_text(std::string_view text) {
  std::size_t at = skip_digits(text, 0);
  std::size_t digits = at;
  if (at < text.size() && text[at] == '.') {
    const std::size_t end = skip_digits(text, at + 1);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0) return false;
  if (at == text.size()) return true;
  if (lower(text[at]) != 'e') return false;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t end = skip_digits(text, at);
  return end > at && end == text.size();
}

std::string digits_text(Wide value) {
  std::string text;
  do {
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return text;
}

}  // namespace

DecimalParts parts_of(Decimal128 value) {
  DecimalParts parts;
  parts.negative = (value.high & sign_bit) != 0;
  const bool long_form = ((value.high >> 61) & 3) == 3;
  const unsigned shift = long_form ? 47 : 49;
  parts.exponent = static_cast<int>((value.high >> shift) & 0x3FFF) - decimal_exponent_bias;
  // The long form only holds coefficients that are too large: zero.
  if (long_form) return parts;
  const Wide whole = (Wide{value.high & 0x1FFFFFFFFFFFFU} << 64) | value.low;
  if (whole < coefficient_end) set_coefficient(parts, whole);
  return parts;
}

Decimal128 decimal_of(const DecimalParts& parts) {
  const auto exponent = static_cast<std::uint64_t>(parts.exponent + decimal_exponent_bias);
  return {parts.coefficient_low, (parts.negative ? sign_bit : 0) | (exponent << 49) | parts.coefficient_high};
}

int digits_of(const DecimalParts& parts) {
  int digits = 0;
  for (Wide rest = coefficient(parts); rest != 0; rest /= 10) ++digits;
  return digits;
}

std::optional<Decimal128> decimal_from_string(std::string_view text) {
  std::string_view body = text;
  const bool negative = !body.empty() && body[0] == '-';
  if (!body.empty() && (body[0] == '-' || body[0] == '+')) body.remove_prefix(1);
  if (equal_ignoring_case(body, "nan")) return decimal_nan;
  if (equal_ignoring_case(body, "infinity") || equal_ignoring_case(body, "inf"))
    return negative ? decimal_negative_infinity : decimal_infinity;
  if (!is_number_text(body)) return std::nullopt;
  std::string copy(text);
  _IDEC_flags flags = 0;
  const Decimal128 value = own(bid128_from_string(copy.data(), mode(Rounding::TiesToEven), &flags));
  if ((flags & (BID_OVERFLOW_EXCEPTION | BID_UNDERFLOW_EXCEPTION | BID_INVALID_EXCEPTION)) != 0) return std::nullopt;
  return value;
}

Decimal128 decimal_from_int64(std::int64_t value) {
  DecimalParts parts;
  parts.negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  parts.coefficient_low = parts.negative ? ~bits + 1 : bits;
  return decimal_of(parts);
}

Decimal128 decimal_from_double_exact(double value, Rounding rounding) {
  if (std::isnan(value)) return {decimal_nan.low, decimal_nan.high | (std::signbit(value) ? sign_bit : 0)};
  _IDEC_flags flags = 0;
  return own(binary64_to_bid128(value, mode(rounding), &flags));
}

Decimal128 decimal_from_double(double value, Rounding rounding) {
  constexpr int digits_kept = 15;
  const Decimal128 exact = decimal_from_double_exact(value, rounding);
  if (is_nan(exact) || is_infinite(exact) || is_zero(exact)) return exact;
  DecimalParts parts = parts_of(exact);
  int places = digits_kept - digits_of(parts) - parts.exponent;
  Decimal128 rounded = quantize(exact, places, rounding);
  // 999…9.5 becomes 1000…0, a digit more.
  if (digits_of(parts_of(rounded)) > digits_kept) rounded = quantize(exact, --places, rounding);
  return rounded;
}

std::string decimal_to_string(Decimal128 value) {
  if (is_nan(value)) return "NaN";
  if (is_infinite(value)) return is_negative(value) ? "-Infinity" : "Infinity";
  const DecimalParts parts = parts_of(value);
  std::string text = digits_text(coefficient(parts));
  const int digits = static_cast<int>(text.size());
  const int scientific = digits - 1 + parts.exponent;
  const std::string sign = parts.negative ? "-" : "";
  if (parts.exponent > 0 || scientific < -6) {
    if (digits > 1) text.insert(1, 1, '.');
    return sign + text + "E" + (scientific < 0 ? "" : "+") + std::to_string(scientific);
  }
  if (parts.exponent == 0) return sign + text;
  const int whole = digits + parts.exponent;
  if (whole > 0)
    text.insert(static_cast<std::size_t>(whole), 1, '.');
  else
    text.insert(0, "0." + std::string(static_cast<std::size_t>(-whole), '0'));
  return sign + text;
}

DoubleConversion decimal_to_double_checked(Decimal128 value, Rounding rounding) {
  _IDEC_flags flags = 0;
  const double result = bid128_to_binary64(bid(value), mode(rounding), &flags);
  return {result, (flags & BID_INEXACT_EXCEPTION) == 0};
}

double decimal_to_double(Decimal128 value, Rounding rounding) {
  return decimal_to_double_checked(value, rounding).value;
}

std::optional<std::int64_t> decimal_to_int64(Decimal128 value, Rounding rounding) {
  _IDEC_flags flags = 0;
  const std::int64_t whole = bid128_to_int64_int(bid(round(value, rounding)), &flags);
  if ((flags & BID_INVALID_EXCEPTION) != 0) return std::nullopt;
  return whole;
}

bool is_nan(Decimal128 value) { return (value.high & nan_bits) == nan_bits; }
bool is_infinite(Decimal128 value) { return (value.high & nan_bits) == infinity_bits; }
bool is_negative(Decimal128 value) { return (value.high & sign_bit) != 0; }
bool is_zero(Decimal128 value) { return !is_nan(value) && !is_infinite(value) && parts_of(value).is_zero(); }
Decimal128 negate(Decimal128 value) { return {value.low, value.high ^ sign_bit}; }
Decimal128 abs(Decimal128 value) { return {value.low, value.high & ~sign_bit}; }

Decimal128 add(Decimal128 left, Decimal128 right, Rounding rounding) {
  _IDEC_flags flags = 0;
  return own(bid128_add(bid(left), bid(right), mode(rounding), &flags));
}
Decimal128 subtract(Decimal128 left, Decimal128 right, Rounding rounding) {
  _IDEC_flags flags = 0;
  return own(bid128_sub(bid(left), bid(right), mode(rounding), &flags));
}
Decimal128 multiply(Decimal128 left, Decimal128 right, Rounding rounding) {
  _IDEC_flags flags = 0;
  return own(bid128_mul(bid(left), bid(right), mode(rounding), &flags));
}
Decimal128 divide(Decimal128 left, Decimal128 right, Rounding rounding) {
  _IDEC_flags flags = 0;
  return own(bid128_div(bid(left), bid(right), mode(rounding), &flags));
}
Decimal128 modulo(Decimal128 left, Decimal128 right) {
  _IDEC_flags flags = 0;
  return own(bid128_fmod(bid(left), bid(right), &flags));
}
Decimal128 square_root(Decimal128 value) {
  _IDEC_flags flags = 0;
  return own(bid128_sqrt(bid(value), mode(Rounding::TiesToEven), &flags));
}
Decimal128 exponential(Decimal128 value) {
  _IDEC_flags flags = 0;
  return own(bid128_exp(bid(value), mode(Rounding::TiesToEven), &flags));
}
Decimal128 natural_logarithm(Decimal128 value) {
  _IDEC_flags flags = 0;
  return own(bid128_log(bid(value), mode(Rounding::TiesToEven), &flags));
}
Decimal128 power(Decimal128 base, Decimal128 exponent) {
  _IDEC_flags flags = 0;
  const Decimal128 result = own(bid128_pow(bid(base), bid(exponent), mode(Rounding::TiesToEven), &flags));
  DecimalParts least_zero;
  least_zero.exponent = decimal_exponent_min;
  return add(result, decimal_of(least_zero));
}

Decimal128 quantize(Decimal128 value, int places, Rounding rounding) {
  if (-places < decimal_exponent_min) return value;
  DecimalParts unit;
  unit.coefficient_low = 1;
  unit.exponent = -places;
  if (unit.exponent > decimal_exponent_max) unit.exponent = decimal_exponent_max;
  _IDEC_flags flags = 0;
  return own(bid128_quantize(bid(value), bid(decimal_of(unit)), mode(rounding), &flags));
}

Decimal128 round(Decimal128 value, Rounding rounding) {
  _IDEC_flags flags = 0;
  switch (rounding) {
    case Rounding::TowardNegative:
      return own(bid128_round_integral_negative(bid(value), &flags));
    case Rounding::TowardPositive:
      return own(bid128_round_integral_positive(bid(value), &flags));
    case Rounding::TowardZero:
      return own(bid128_round_integral_zero(bid(value), &flags));
    case Rounding::TiesAway:
      return own(bid128_round_integral_nearest_away(bid(value), &flags));
    case Rounding::TiesToEven:
      break;
  }
  return own(bid128_round_integral_nearest_even(bid(value), &flags));
}

std::optional<Decimal128> with_exponent(Decimal128 value, int exponent) {
  if (is_nan(value) || is_infinite(value)) return std::nullopt;
  if (exponent < decimal_exponent_min || exponent > decimal_exponent_max) return std::nullopt;
  DecimalParts unit;
  unit.coefficient_low = 1;
  unit.exponent = exponent;
  _IDEC_flags flags = 0;
  const Decimal128 result = own(bid128_quantize(bid(value), bid(decimal_of(unit)), mode(Rounding::TiesToEven), &flags));
  if ((flags & (BID_INEXACT_EXCEPTION | BID_INVALID_EXCEPTION)) != 0) return std::nullopt;
  return result;
}

std::partial_ordering compare(Decimal128 left, Decimal128 right) {
  _IDEC_flags flags = 0;
  if (is_nan(left) || is_nan(right)) return std::partial_ordering::unordered;
  if (bid128_quiet_less(bid(left), bid(right), &flags) != 0) return std::partial_ordering::less;
  if (bid128_quiet_greater(bid(left), bid(right), &flags) != 0) return std::partial_ordering::greater;
  return std::partial_ordering::equivalent;
}

Decimal128 normalize(Decimal128 value) {
  if (is_nan(value) || is_infinite(value)) return value;
  DecimalParts parts = parts_of(value);
  if (parts.is_zero()) return value;
  Wide digits = coefficient(parts);
  while (digits < coefficient_end / 10 && parts.exponent > decimal_exponent_min) {
    digits *= 10;
    --parts.exponent;
  }
  set_coefficient(parts, digits);
  return decimal_of(parts);
}

}  // namespace wire
