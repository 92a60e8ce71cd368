// Decimal128 arithmetic and conversion by the rules of IEEE 754-2008, with the texts that MongoDB prints. Knows nothing of BSON.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace wire {

enum class Rounding : std::uint8_t { TiesToEven, TowardNegative, TowardPositive, TowardZero, TiesAway };

// A finite decimal taken apart: (-1)^negative * coefficient * 10^exponent; the coefficient has at most 34 digits.
struct DecimalParts {
  bool negative = false;
  std::uint64_t coefficient_high = 0;
  std::uint64_t coefficient_low = 0;
  int exponent = 0;
  bool operator==(const DecimalParts&) const = default;
  bool is_zero() const { return coefficient_high == 0 && coefficient_low == 0; }
};

inline constexpr int decimal_digits_max = 34;
inline constexpr int decimal_exponent_bias = 6176;
inline constexpr int decimal_exponent_min = -decimal_exponent_bias;
inline constexpr int decimal_exponent_max = 6111;

// Encodings that IEEE calls non-canonical (a coefficient above 10^34 - 1) count as zero, as the standard says.
DecimalParts parts_of(Decimal128 value);
Decimal128 decimal_of(const DecimalParts& parts);
// The number of digits of the coefficient; 0 for zero.
int digits_of(const DecimalParts& parts);

// The text as the BSON specification reads it: digits, exponent, "Infinity", "inf", "NaN" in any case. More than 34 digits are rounded.
// nullopt: not a number, or out of range.
std::optional<Decimal128> decimal_from_string(std::string_view text);
Decimal128 decimal_from_int64(std::int64_t value);
// Fifteen significant digits, as MongoDB converts a double that meets a decimal in arithmetic and in $toDecimal.
Decimal128 decimal_from_double(double value, Rounding rounding = Rounding::TiesToEven);
// All 34 digits.
Decimal128 decimal_from_double_exact(double value, Rounding rounding = Rounding::TiesToEven);
// "0.1", "1.2E+40", "NaN", "-Infinity": the text of Extended JSON, of $toString and of MongoDB's messages.
std::string decimal_to_string(Decimal128 value);
double decimal_to_double(Decimal128 value, Rounding rounding = Rounding::TiesToEven);
struct DoubleConversion {
  double value = 0;
  bool exact = false;
};
DoubleConversion decimal_to_double_checked(Decimal128 value, Rounding rounding);
// nullopt: outside int64 or not a number.
std::optional<std::int64_t> decimal_to_int64(Decimal128 value, Rounding rounding = Rounding::TowardZero);

bool is_nan(Decimal128 value);
bool is_infinite(Decimal128 value);
bool is_negative(Decimal128 value);
bool is_zero(Decimal128 value);
Decimal128 negate(Decimal128 value);
Decimal128 abs(Decimal128 value);

Decimal128 add(Decimal128 left, Decimal128 right, Rounding rounding = Rounding::TiesToEven);
Decimal128 subtract(Decimal128 left, Decimal128 right, Rounding rounding = Rounding::TiesToEven);
Decimal128 multiply(Decimal128 left, Decimal128 right, Rounding rounding = Rounding::TiesToEven);
Decimal128 divide(Decimal128 left, Decimal128 right, Rounding rounding = Rounding::TiesToEven);
// The remainder with the sign of the dividend, as $mod.
Decimal128 modulo(Decimal128 left, Decimal128 right);
Decimal128 square_root(Decimal128 value);
Decimal128 exponential(Decimal128 value);
Decimal128 natural_logarithm(Decimal128 value);
// With all 34 digits, trailing zeros too: as mongod, which adds the zero of the least exponent.
Decimal128 power(Decimal128 base, Decimal128 exponent);

// The value with exactly `places` digits after the point (negative: before it); NaN when that takes more than 34 digits.
Decimal128 quantize(Decimal128 value, int places, Rounding rounding = Rounding::TiesToEven);
// The nearest integer in that direction.
Decimal128 round(Decimal128 value, Rounding rounding = Rounding::TiesToEven);
inline Decimal128 truncate(Decimal128 value) { return round(value, Rounding::TowardZero); }
// NaN where the whole number has more than 34 digits, as in mongod.
inline Decimal128 floor(Decimal128 value) { return quantize(value, 0, Rounding::TowardNegative); }
inline Decimal128 ceil(Decimal128 value) { return quantize(value, 0, Rounding::TowardPositive); }

// The same number written with that exponent; nullopt when digits would be lost.
std::optional<Decimal128> with_exponent(Decimal128 value, int exponent);
// By numeric value; unordered when one is NaN. MongoDB's order of values (NaN first) is in compare.h.
std::partial_ordering compare(Decimal128 left, Decimal128 right);
// The same value with a coefficient of 34 digits, as far as the range of exponents allows.
Decimal128 normalize(Decimal128 value);

inline constexpr Decimal128 decimal_nan{0, 0x7C00000000000000U};
inline constexpr Decimal128 decimal_infinity{0, 0x7800000000000000U};
inline constexpr Decimal128 decimal_negative_infinity{0, 0xF800000000000000U};

}  // namespace wire
