// Arithmetic over BSON's four numeric types, with MongoDB's widening: int, long, double, decimal. Knows no operators.
#pragma once

#include <cstdint>
#include <optional>

#include "emulator/wide_integer.h"
#include "wire/decimal.h"
#include "wire/document.h"

namespace emulator {

// Of two numeric types the one that holds the result.
wire::Type widest(wire::Type left, wire::Type right);
double to_double(wire::ValueView number);
wire::Decimal128 to_decimal(wire::ValueView number);
// The integer it is; nullopt: it has a fraction, is not finite, or is no int64.
std::optional<std::int64_t> exact_int64(wire::ValueView number);
std::optional<std::int32_t> exact_int32(wire::ValueView number);
// False for NaN, too.
inline bool fits_int64(double value) { return value >= -0x1p63 && value < 0x1p63; }
bool is_integral_type(wire::Type type);
bool is_zero_number(wire::ValueView number);
bool is_nan_number(wire::ValueView number);

// int if it fits, else long.
wire::Value int_or_long(std::int64_t value);
// As a command's or an operator's result of the given width: an int that overflows becomes a long.
wire::Value integer_of(wire::Type type, std::int64_t value);

// int overflows to long, long to double.
wire::Value add_numbers(wire::ValueView left, wire::ValueView right);
wire::Value subtract_numbers(wire::ValueView left, wire::ValueView right);
wire::Value multiply_numbers(wire::ValueView left, wire::ValueView right);

// $sum's running total: exact over doubles as far as two doubles go.
class Sum {
 public:
  // Ignores what is no number.
  void add(wire::ValueView value);
  std::int64_t count() const { return count_; }
  wire::Value total() const;
  // The same rounded to a long; nullopt: none holds it.
  std::optional<std::int64_t> rounded() const;
  // null when nothing was added.
  wire::Value average() const;

 private:
  void add_double(double term);
  double as_double() const;
  std::int64_t count_ = 0;
  wire::Type widest_ = wire::Type::Int32;
  WideInteger integers_ = 0;
  // Of all that are no decimals: a sum, what its rounding left over, and the plain sum, which tells infinities.
  double sum_ = 0;
  double rest_ = 0;
  double plain_ = 0;
  wire::Decimal128 decimals_ = wire::decimal_from_int64(0);
};

}  // namespace emulator
