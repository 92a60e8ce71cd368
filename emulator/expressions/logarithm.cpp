// $ln, $log10, $log.
#include <fmt/format.h>

#include <cmath>

#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/decimal_functions.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

// NaN is let through.
bool is_positive(ValueView value) { return is_nan_number(value) || to_double(value) > 0; }

std::string shown(ValueView value) { return expression_text(value); }

template <double (*of_double)(double), wire::Decimal128 (*of_decimal)(wire::Decimal128)>
Value logarithm(const Call& call) {
  const ValueView value = call[0];
  if (value.is_nullish()) return Value::null();
  if (!value.is_number())
    throw CommandError(28765,
                       fmt::format("{} only supports numeric types, not {}", call.name, wire::type_name(value.type())));
  if (!is_positive(value))
    throw CommandError(call.name == "$ln" ? 28766 : 28761,
                       fmt::format("{}'s argument must be a positive number, but is {}", call.name, shown(value)));
  // A decimal NaN is no positive number either: it goes on as a double.
  if (value.is(Type::Decimal128) && !is_nan_number(value)) return Value::decimal(of_decimal(value.as_decimal()));
  return Value::number(of_double(to_double(value)));
}

// Bases 2 and 10 have functions of their own, exact where a quotient is not.
wire::Decimal128 decimal_to_base(wire::Decimal128 value, ValueView base) {
  if (to_double(base) == 2) return wire::binary_logarithm(value);
  if (to_double(base) == 10) return wire::decimal_logarithm(value);
  return wire::divide(wire::natural_logarithm(value), wire::natural_logarithm(to_decimal(base)));
}

Value logarithm_to_base(const Call& call) {
  const ValueView value = call[0];
  const ValueView base = call[1];
  if (value.is_nullish() || base.is_nullish()) return Value::null();
  if (!value.is_number())
    throw CommandError(28756, fmt::format("$log's argument must be numeric, not {}", wire::type_name(value.type())));
  if (!base.is_number())
    throw CommandError(28757, fmt::format("$log's base must be numeric, not {}", wire::type_name(base.type())));
  if (!is_positive(value))
    throw CommandError(28758, fmt::format("$log's argument must be a positive number, but is {}", shown(value)));
  if (!is_positive(base) || to_double(base) == 1)
    throw CommandError(28759,
                       fmt::format("$log's base must be a positive number not equal to 1, but is {}", shown(base)));
  if (widest(value.type(), base.type()) == Type::Decimal128)
    return Value::decimal(decimal_to_base(to_decimal(value), base));
  return Value::number(std::log(to_double(value)) / std::log(to_double(base)));
}

double natural(double value) { return std::log(value); }
double decimal(double value) { return std::log10(value); }

constexpr ExpressionOperator operators[] = {
    {"$ln", 1, 1, logarithm<natural, wire::natural_logarithm>},
    {"$log10", 1, 1, logarithm<decimal, wire::decimal_logarithm>},
    {"$log", 2, 2, logarithm_to_base},
};

}  // namespace

extern constinit const ExpressionSpec logarithm_expression{operators};

}  // namespace emulator
