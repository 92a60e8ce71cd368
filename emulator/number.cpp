#include "emulator/number.h"

#include <cmath>
#include <limits>
#include <utility>

namespace emulator {

using wire::Type;
using wire::Value;
using wire::ValueView;

namespace {

int width(Type type) {
  switch (type) {
    case Type::Int32:
      return 0;
    case Type::Int64:
      return 1;
    case Type::Double:
      return 2;
    default:
      return 3;
  }
}

std::int64_t to_int64(ValueView number) { return number.is(Type::Int32) ? number.as_int32() : number.as_int64(); }

enum class Operation { Add, Subtract, Multiply };

bool overflows(Operation operation, std::int64_t left, std::int64_t right, std::int64_t* result) {
  switch (operation) {
    case Operation::Add:
      return __builtin_add_overflow(left, right, result);
    case Operation::Subtract:
      return __builtin_sub_overflow(left, right, result);
    case Operation::Multiply:
      return __builtin_mul_overflow(left, right, result);
  }
  return true;
}

double compute(Operation operation, double left, double right) {
  switch (operation) {
    case Operation::Add:
      return left + right;
    case Operation::Subtract:
      return left - right;
    case Operation::Multiply:
      return left * right;
  }
  return 0;
}

wire::Decimal128 compute(Operation operation, wire::Decimal128 left, wire::Decimal128 right) {
  switch (operation) {
    case Operation::Add:
      return wire::add(left, right);
    case Operation::Subtract:
      return wire::subtract(left, right);
    case Operation::Multiply:
      return wire::multiply(left, right);
  }
  return left;
}

Value compute(Operation operation, ValueView left, ValueView right) {
  const Type type = widest(left.type(), right.type());
  if (type == Type::Decimal128) return Value::decimal(compute(operation, to_decimal(left), to_decimal(right)));
  if (type == Type::Double) return Value::number(compute(operation, to_double(left), to_double(right)));
  std::int64_t result = 0;
  if (overflows(operation, to_int64(left), to_int64(right), &result))
    return Value::number(compute(operation, to_double(left), to_double(right)));
  return integer_of(type, result);
}

}  // namespace

Type widest(Type left, Type right) { return width(left) < width(right) ? right : left; }

double to_double(ValueView number) {
  switch (number.type()) {
    case Type::Int32:
      return number.as_int32();
    case Type::Int64:
      return static_cast<double>(number.as_int64());
    case Type::Double:
      return number.as_double();
    default:
      return wire::decimal_to_double(number.as_decimal());
  }
}

wire::Decimal128 to_decimal(ValueView number) {
  switch (number.type()) {
    case Type::Int32:
      return wire::decimal_from_int64(number.as_int32());
    case Type::Int64:
      return wire::decimal_from_int64(number.as_int64());
    case Type::Double:
      return wire::decimal_from_double(number.as_double());
    default:
      return number.as_decimal();
  }
}

bool is_integral_type(Type type) { return type == Type::Int32 || type == Type::Int64; }

std::optional<std::int64_t> exact_int64(ValueView number) {
  if (is_integral_type(number.type())) return to_int64(number);
  if (number.is(Type::Double)) {
    const double value = number.as_double();
    if (value != std::trunc(value) || !fits_int64(value)) return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  if (!number.is(Type::Decimal128)) return std::nullopt;
  const wire::Decimal128 value = number.as_decimal();
  if (wire::is_nan(value) || wire::is_infinite(value) || wire::compare(wire::truncate(value), value) != 0)
    return std::nullopt;
  return wire::decimal_to_int64(value);
}

std::optional<std::int32_t> exact_int32(ValueView number) {
  const std::optional<std::int64_t> whole = exact_int64(number);
  if (!whole || !std::in_range<std::int32_t>(*whole)) return std::nullopt;
  return static_cast<std::int32_t>(*whole);
}

bool is_zero_number(ValueView number) {
  return number.is(Type::Decimal128) ? wire::is_zero(number.as_decimal()) : to_double(number) == 0;
}

bool is_nan_number(ValueView number) {
  if (number.is(Type::Double)) return std::isnan(number.as_double());
  return number.is(Type::Decimal128) && wire::is_nan(number.as_decimal());
}

Value int_or_long(std::int64_t value) { return integer_of(Type::Int32, value); }

Value integer_of(Type type, std::int64_t value) {
  const bool fits =
      value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
  return type == Type::Int32 && fits ? Value::int32(static_cast<std::int32_t>(value)) : Value::int64(value);
}

Value add_numbers(ValueView left, ValueView right) { return compute(Operation::Add, left, right); }
Value subtract_numbers(ValueView left, ValueView right) { return compute(Operation::Subtract, left, right); }
Value multiply_numbers(ValueView left, ValueView right) { return compute(Operation::Multiply, left, right); }

void Sum::add(ValueView value) {
  if (!value.is_number()) return;
  ++count_;
  widest_ = widest(widest_, value.type());
  if (value.is(Type::Decimal128)) {
    decimals_ = wire::add(decimals_, value.as_decimal());
  } else if (value.is(Type::Double)) {
    add_double(value.as_double());
  } else {
    const std::int64_t whole = to_int64(value);
    integers_ += whole;
    // A long in two parts that doubles hold, the low one first: each takes with it what was left over before it.
    const std::int64_t low = value.is(Type::Int64) ? whole % (std::int64_t{1} << 32) : whole;
    add_double(static_cast<double>(low));
    if (value.is(Type::Int64)) add_double(static_cast<double>(whole - low));
  }
}

// The rest joins the next term, as in mongod: a sum that came back to nothing does not show it until then.
void Sum::add_double(double term) {
  plain_ += term;
  const double joined = term + rest_;
  const double lost = rest_ - (joined - term);
  const double sum = sum_ + joined;
  const double part = sum - sum_;
  rest_ = ((sum_ - (sum - part)) + (joined - part)) + lost;
  sum_ = sum;
}

double Sum::as_double() const { return std::isnan(sum_) ? plain_ : sum_; }

Value Sum::total() const {
  if (widest_ == Type::Decimal128) {
    // Doubles join with all their 34 digits, unlike those that a single operation converts.
    const double rest = std::isfinite(rest_) ? rest_ : 0;
    return Value::decimal(wire::add(
        decimals_, wire::add(wire::decimal_from_double_exact(as_double()), wire::decimal_from_double_exact(rest))));
  }
  if (widest_ == Type::Double) return Value::number(as_double());
  const std::optional<std::int64_t> whole = narrowed(integers_);
  return whole ? integer_of(widest_, *whole) : Value::number(static_cast<double>(integers_));
}

std::optional<std::int64_t> Sum::rounded() const {
  if (widest_ == Type::Decimal128)
    return wire::decimal_to_int64(total().view().as_decimal(), wire::Rounding::TiesToEven);
  // The sum counts, which is rounded away from zero, and then what that left over, which takes a half back.
  constexpr double end = 0x1p63;
  if (sum_ == end)
    return rest_ < -0.5 ? narrowed(WideInteger{std::llround(rest_)} + (WideInteger{1} << 63)) : std::nullopt;
  if (!fits_int64(sum_) || (sum_ == -end && rest_ < -0.5)) return std::nullopt;
  const std::int64_t whole = std::llround(sum_);
  return narrowed(WideInteger{whole} + std::llround((sum_ - static_cast<double>(whole)) + rest_));
}

Value Sum::average() const {
  if (count_ == 0) return Value::null();
  const Value sum = total();
  if (widest_ == Type::Decimal128)
    return Value::decimal(wire::divide(sum.view().as_decimal(), wire::decimal_from_int64(count_)));
  return Value::number(as_double() / static_cast<double>(count_));
}

}  // namespace emulator
