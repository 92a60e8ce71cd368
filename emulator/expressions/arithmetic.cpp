// $add, $subtract, $multiply, $divide, $mod.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "emulator/conversion.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/facts/expression_facts.h"
#include "emulator/number.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

// Codes of arithmetic's own, one a case, which became TypeMismatch and BadValue with 5.0.
bool has_own_codes(const Call& call) { return call.profile.wording <= Wording::V4_4; }

bool is_of_6_0_27(const Call& call) {
  return call.profile.expressions.arithmetic == ExpressionFacts::Arithmetic::V6_0_27;
}

[[noreturn]] void date_overflow(const Call& call) {
  throw CommandError(15, call.profile.wording >= Wording::V6_0_27 ? "date overflow" : "date overflow in $add");
}

// Until 6.0.27 a sum of decimals that no long holds is the least long.
std::int64_t summed_date(const Sum& sum, const Call& call) {
  if (const std::optional<std::int64_t> date = sum.rounded()) return *date;
  if (sum.total().type() == Type::Decimal128) return INT64_MIN;
  date_overflow(call);
}

// A number beside a date as 6.0.27 rounds it.
std::int64_t rounded(ValueView number, const Call& call) {
  if (number.is(Type::Double)) {
    if (!fits_int64(number.as_double())) date_overflow(call);
    return std::llround(number.as_double());
  }
  if (!number.is(Type::Decimal128)) return *exact_int64(number);
  const auto whole = wire::decimal_to_int64(number.as_decimal(), wire::Rounding::TiesToEven);
  if (!whole) date_overflow(call);
  return *whole;
}

Value date_of(WideInteger ms, const Call& call) {
  const std::optional<std::int64_t> date = narrowed(ms);
  if (!date) date_overflow(call);
  return Value::date(*date);
}

Value subtracted_from_date(std::int64_t date, ValueView number, const Call& call) {
  if (is_of_6_0_27(call)) return date_of(WideInteger{date} - rounded(number, call), call);
  const std::int64_t ms = coerced_long(number);
  if (ms == INT64_MIN) throw CommandError(159, "Cannot negate the minimum duration");
  const std::optional<std::int64_t> difference = narrowed(WideInteger{date} - ms);
  if (!difference) duration_overflow(date, -ms, "ms");
  return Value::date(*difference);
}

Value add_next(const Value& sum, ValueView next, const Call& call) {
  if (sum.type() == Type::DateTime) return date_of(WideInteger{sum.view().as_date_ms()} + rounded(next, call), call);
  if (next.is(Type::DateTime)) return date_of(WideInteger{next.as_date_ms()} + rounded(sum, call), call);
  return add_numbers(sum, next);
}

Value add(const Call& call) {
  Sum sum;
  Value so_far = Value::int32(0);
  bool has_date = false;
  for (const Value& argument : call) {
    const ValueView value = argument;
    if (value.is_nullish()) return Value::null();
    if (!value.is_number() && !value.is(Type::DateTime))
      throw CommandError(call.profile.wording >= Wording::V6_0_27 ? 14 : 16554,
                         fmt::format("$add only supports numeric or date types, not {}", type_of(value)));
    if (value.is(Type::DateTime) && has_date) throw CommandError(16612, "only one date allowed in an $add expression");
    if (is_of_6_0_27(call)) so_far = add_next(so_far, value, call);
    has_date |= value.is(Type::DateTime);
    sum.add(value.is(Type::DateTime) ? Value::int64(value.as_date_ms()) : argument);
  }
  if (is_of_6_0_27(call)) return so_far;
  return has_date ? Value::date(summed_date(sum, call)) : sum.total();
}

[[noreturn]] void cannot_subtract(const Call& call) {
  const std::string_view left = call[0].type() == Type::DateTime ? "Date" : type_of(call[0]);
  const std::string_view right = type_of(call[1]);
  if (!has_own_codes(call)) throw CommandError(14, fmt::format("can't $subtract {} from {}", right, left));
  if (call[0].type() == Type::DateTime)
    throw CommandError(16613, fmt::format("cant $subtract a {} from a {}", right, left));
  throw CommandError(16556, fmt::format("cant $subtract a{} from a {}", right, left));
}

Value subtract(const Call& call) {
  const ValueView left = call[0];
  const ValueView right = call[1];
  if (left.is_nullish() || right.is_nullish()) return Value::null();
  // Until 4.4 a difference of longs that no long holds is not noticed.
  if (has_own_codes(call) && is_integral_type(left.type()) && is_integral_type(right.type()))
    return integer_of(widest(left.type(), right.type()),
                      wrapped(WideInteger{*exact_int64(left)} - *exact_int64(right)));
  if (left.is_number() && right.is_number()) return subtract_numbers(left, right);
  if (!left.is(Type::DateTime)) cannot_subtract(call);
  // What does not fit is not noticed.
  if (right.is(Type::DateTime)) return Value::int64(wrapped(WideInteger{left.as_date_ms()} - right.as_date_ms()));
  if (!right.is_number()) cannot_subtract(call);
  return subtracted_from_date(left.as_date_ms(), right, call);
}

// Until 4.4 a product is kept as a long as well, which a double may be too large for.
void check_fits_long(ValueView number) {
  if (number.is(Type::Double) && std::isfinite(number.as_double())) coerced_long(number);
}

Value multiply(const Call& call) {
  Value product = Value::int32(1);
  double as_double = 1;  // of all from the first on: what a product is that no long holds
  Type type = Type::Int32;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    if (!argument.view().is_number())
      throw CommandError(has_own_codes(call) ? 16555 : 14,
                         fmt::format("$multiply only supports numeric types, not {}", type_of(argument)));
    if (has_own_codes(call) && type != Type::Decimal128) check_fits_long(argument);
    product = multiply_numbers(product, argument);
    as_double *= to_double(argument);
    type = widest(type, argument.type());
  }
  if (product.type() == Type::Double) return Value::number(as_double);
  // Of ints alone it is an int if that holds it, however large it was in between.
  if (type == Type::Int32 && product.type() == Type::Int64) return integer_of(type, product.view().as_int64());
  return product;
}

Value divide(const Call& call) {
  const ValueView left = call[0];
  const ValueView right = call[1];
  if (left.is_nullish() || right.is_nullish()) return Value::null();
  if (!left.is_number() || !right.is_number())
    throw CommandError(
        has_own_codes(call) ? 16609 : 14,
        fmt::format("$divide only supports numeric types, not {} and {}", type_of(left), type_of(right)));
  if (is_zero_number(right)) throw CommandError(has_own_codes(call) ? 16608 : 2, "can't $divide by zero");
  if (widest(left.type(), right.type()) == Type::Decimal128)
    return Value::decimal(wire::divide(to_decimal(left), to_decimal(right)));
  return Value::number(to_double(left) / to_double(right));
}

Value modulo(const Call& call) {
  const ValueView left = call[0];
  const ValueView right = call[1];
  if (left.is_nullish() || right.is_nullish()) return Value::null();
  if (!left.is_number() || !right.is_number())
    throw CommandError(16611,
                       fmt::format("$mod only supports numeric types, not {} and {}", type_of(left), type_of(right)));
  const Type type = widest(left.type(), right.type());
  if (is_zero_number(right)) {
    const bool has_code_of_decimals = type == Type::Decimal128 && call.profile.wording > Wording::V5_0;
    throw CommandError(has_code_of_decimals ? 5733415 : 16610, "can't $mod by zero");
  }
  if (type == Type::Decimal128) return Value::decimal(wire::modulo(to_decimal(left), to_decimal(right)));
  if (type == Type::Double) {
    // A double that is an int32's number counts as one.
    if (is_integral_type(left.type()) && right.is(Type::Double))
      if (const auto divisor = exact_int64(right); divisor && std::in_range<std::int32_t>(*divisor))
        return integer_of(left.type(), *divisor == -1 ? 0 : *exact_int64(left) % *divisor);
    return Value::number(std::fmod(to_double(left), to_double(right)));
  }
  const std::int64_t divisor = *exact_int64(right);
  return integer_of(type, divisor == -1 ? 0 : *exact_int64(left) % divisor);
}

// The order in which a compiler evaluates a call's arguments, once these became a call's arguments.
constexpr int mongodb_5_0 = 13;

constexpr ExpressionOperator operators[] = {
    {.name = "$add",
     .arguments_max = any_number,
     .evaluate = add,
     .arguments = Arguments::InTurn,
     .folding = Folding::Constants},
    {"$subtract", 2, 2, subtract, nullptr, Arguments::LastFirst, mongodb_5_0},
    {"$subtract", 2, 2, subtract},
    {.name = "$multiply",
     .arguments_max = any_number,
     .evaluate = multiply,
     .arguments = Arguments::InTurn,
     .folding = Folding::Constants},
    {"$divide", 2, 2, divide, nullptr, Arguments::LastFirst, mongodb_5_0},
    {"$divide", 2, 2, divide},
    {"$mod", 2, 2, modulo},
};

}  // namespace

extern constinit const ExpressionSpec arithmetic_expression{operators};

}  // namespace emulator
