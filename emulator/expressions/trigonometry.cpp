// $sin and the other functions of angles, $degreesToRadians, $radiansToDegrees.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/decimal_functions.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

struct Function {
  std::string_view name;
  double (*of_double)(double);
  wire::Decimal128 (*of_decimal)(wire::Decimal128);
  // Where it is defined, bounds included unless the interval says otherwise.
  double low;
  double high;
  std::string_view interval;
};

constexpr double infinite = HUGE_VAL;
constexpr std::string_view open_line = "(-inf,inf)";
constexpr std::string_view line = "[-inf,inf]";
constexpr Function functions[] = {
    {"$sin", std::sin, wire::sine, -infinite, infinite, open_line},
    {"$cos", std::cos, wire::cosine, -infinite, infinite, open_line},
    {"$tan", std::tan, wire::tangent, -infinite, infinite, open_line},
    {"$asin", std::asin, wire::arc_sine, -1, 1, "[-1,1]"},
    {"$acos", std::acos, wire::arc_cosine, -1, 1, "[-1,1]"},
    {"$atan", std::atan, wire::arc_tangent, -infinite, infinite, line},
    {"$sinh", std::sinh, wire::hyperbolic_sine, -infinite, infinite, line},
    {"$cosh", std::cosh, wire::hyperbolic_cosine, -infinite, infinite, line},
    {"$tanh", std::tanh, wire::hyperbolic_tangent, -infinite, infinite, line},
    {"$asinh", std::asinh, wire::inverse_hyperbolic_sine, -infinite, infinite, line},
    {"$acosh", std::acosh, wire::inverse_hyperbolic_cosine, 1, infinite, "[1,inf]"},
    {"$atanh", std::atanh, wire::inverse_hyperbolic_tangent, -1, 1, "[-1,1]"},
};

void check_numeric(const Call& call, ValueView value, int code) {
  if (!value.is_number())
    throw CommandError(code,
                       fmt::format("{} only supports numeric types, not {}", call.name, wire::type_name(value.type())));
}

void check_domain(const Function& function, ValueView value, const Profile& profile) {
  if (is_nan_number(value)) return;
  const double number = to_double(value);
  const bool open = function.interval == open_line;
  const bool inside =
      open ? number > function.low && number < function.high : number >= function.low && number <= function.high;
  if (!inside)
    throw CommandError(50989,
                       fmt::format("cannot apply {} to {}, value must {} {}", function.name, expression_text(value),
                                   profile.wording <= Wording::V4_4 ? "in" : "be in", function.interval));
}

Value angle_function(const Call& call) {
  const ValueView value = call[0];
  if (value.is_nullish()) return Value::null();
  check_numeric(call, value, 28765);
  for (const Function& function : functions) {
    if (function.name != call.name) continue;
    check_domain(function, value, call.profile);
    if (value.is(Type::Decimal128)) return Value::decimal(function.of_decimal(value.as_decimal()));
    return Value::number(function.of_double(to_double(value)));
  }
  return {};
}

Value arc_tangent_of_two(const Call& call) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (call[i].view().is_nullish()) return Value::null();
    check_numeric(call, call[i], i == 0 ? 51044 : 51045);
  }
  if (widest(call[0].type(), call[1].type()) == Type::Decimal128)
    return Value::decimal(wire::arc_tangent_of(to_decimal(call[0]), to_decimal(call[1])));
  return Value::number(std::atan2(to_double(call[0]), to_double(call[1])));
}

// Pi over 180 and its inverse, as decimals of 34 digits.
wire::Decimal128 decimal_constant(std::string_view text) { return *wire::decimal_from_string(text); }

Value degrees_to_radians(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  check_numeric(call, call[0], 28765);
  if (call[0].type() == Type::Decimal128)
    return Value::decimal(
        wire::multiply(call[0].view().as_decimal(), decimal_constant("0.01745329251994329576923690768488613")));
  return Value::number(to_double(call[0]) * (std::numbers::pi / 180));
}

Value radians_to_degrees(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  check_numeric(call, call[0], 28765);
  if (call[0].type() == Type::Decimal128)
    return Value::decimal(
        wire::multiply(call[0].view().as_decimal(), decimal_constant("57.29577951308232087679815481410517")));
  return Value::number(to_double(call[0]) * (180 / std::numbers::pi));
}

constexpr ExpressionOperator operators[] = {
    {"$sin", 1, 1, angle_function},
    {"$cos", 1, 1, angle_function},
    {"$tan", 1, 1, angle_function},
    {"$asin", 1, 1, angle_function},
    {"$acos", 1, 1, angle_function},
    {"$atan", 1, 1, angle_function},
    {"$sinh", 1, 1, angle_function},
    {"$cosh", 1, 1, angle_function},
    {"$tanh", 1, 1, angle_function},
    {"$asinh", 1, 1, angle_function},
    {"$acosh", 1, 1, angle_function},
    {"$atanh", 1, 1, angle_function},
    {"$atan2", 2, 2, arc_tangent_of_two, nullptr, Arguments::InTurn},
    {"$degreesToRadians", 1, 1, degrees_to_radians},
    {"$radiansToDegrees", 1, 1, radians_to_degrees},
};

}  // namespace

extern constinit const ExpressionSpec trigonometry_expression{operators};

}  // namespace emulator
