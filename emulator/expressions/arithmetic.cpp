// $add, $subtract, $multiply, $divide, $mod.
#include <fmt/format.h>

#include <cmath>

#include "emulator/expressions/table.h"
#include "emulator/number.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

std::int64_t whole(ValueView number) {
  if (is_integral_type(number.type())) return *exact_int64(number);
  if (number.is(Type::Double)) return std::llround(number.as_double());
  return wire::decimal_to_int64(number.as_decimal(), wire::Rounding::TiesToEven).value_or(0);
}

Value add(const Call& call) {
  Sum sum;
  std::optional<std::int64_t> date;
  for (const Value& argument : call.arguments) {
    const ValueView value = argument;
    if (value.is_nullish()) return Value::null();
    if (value.is(Type::DateTime)) {
      if (date) throw CommandError(16612, "only one date allowed in an $add expression");
      date = value.as_date_ms();
      continue;
    }
    if (!value.is_number())
      throw CommandError(16554, fmt::format("$add only supports numeric or date types, not {}", type_of(value)));
    sum.add(value);
  }
  if (date) return Value::date(*date + (sum.count() == 0 ? 0 : whole(sum.total())));
  return sum.total();
}

Value subtract(const Call& call) {
  const ValueView left = call[0];
  const ValueView right = call[1];
  if (left.is_nullish() || right.is_nullish()) return Value::null();
  if (left.is_number() && right.is_number()) return subtract_numbers(left, right);
  if (left.is(Type::DateTime)) {
    if (right.is(Type::DateTime)) return Value::int64(left.as_date_ms() - right.as_date_ms());
    if (right.is_number()) return Value::date(left.as_date_ms() - whole(right));
  }
  throw CommandError(14, fmt::format("can't $subtract {} from {}", type_of(right), type_of(left)));
}

Value multiply(const Call& call) {
  Value product = Value::int32(1);
  Type type = Type::Int32;
  for (const Value& argument : call.arguments) {
    if (argument.view().is_nullish()) return Value::null();
    if (!argument.view().is_number())
      throw CommandError(14, fmt::format("$multiply only supports numeric types, not {}", type_of(argument)));
    product = multiply_numbers(product, argument);
    type = widest(type, argument.type());
  }
  // Of ints alone it is an int if that holds it, however large it was in between.
  if (type == Type::Int32 && product.type() == Type::Int64) return integer_of(type, product.view().as_int64());
  return product;
}

// By zero it fails with a code that changed with 5.0.
template <int zero_code>
Value divide(const Call& call) {
  const ValueView left = call[0];
  const ValueView right = call[1];
  if (left.is_nullish() || right.is_nullish()) return Value::null();
  if (!left.is_number() || !right.is_number())
    throw CommandError(
        14, fmt::format("$divide only supports numeric types, not {} and {}", type_of(left), type_of(right)));
  if (is_zero_number(right)) throw CommandError(zero_code, "can't $divide by zero");
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
  if (is_zero_number(right)) throw CommandError(type == Type::Decimal128 ? 5733415 : 16610, "can't $mod by zero");
  if (type == Type::Decimal128) return Value::decimal(wire::modulo(to_decimal(left), to_decimal(right)));
  if (type == Type::Double) {
    // A double that is a whole number counts as one.
    if (is_integral_type(left.type()) && right.is(Type::Double))
      if (const auto divisor = exact_int64(right); divisor && *exact_int64(left) != INT64_MIN)
        return integer_of(left.type(), *exact_int64(left) % *divisor);
    return Value::number(std::fmod(to_double(left), to_double(right)));
  }
  const std::int64_t divisor = *exact_int64(right);
  return integer_of(type, divisor == -1 ? 0 : *exact_int64(left) % divisor);
}

ExpressionPtr parse_divide(const ExpressionInput& input) {
  std::vector<ExpressionPtr> arguments = input.scope.parse_arguments(input.argument);
  if (arguments.size() != 2)
    throw CommandError(16020, fmt::format("Expression {} takes exactly 2 arguments. {} were passed in.", input.name,
                                          arguments.size()));
  constexpr int of_5_0 = 13;
  return make_call(input.name, std::move(arguments),
                   input.scope.context.wire_version < of_5_0 ? divide<16608> : divide<2>);
}

constexpr ExpressionOperator operators[] = {
    {"$add", 0, any_number, add, nullptr, Arguments::InTurn},
    {"$subtract", 2, 2, subtract},
    {"$multiply", 0, any_number, multiply, nullptr, Arguments::InTurn},
    {.name = "$divide", .parse = parse_divide},
    {"$mod", 2, 2, modulo},
};

}  // namespace

extern constinit const ExpressionSpec arithmetic_expression{operators};

}  // namespace emulator
