// $abs, $ceil, $floor, $round, $trunc, $sqrt, $exp, $ln, $log10, $log, $pow, $isNumber, $rand.
#include <fmt/format.h>

#include <cmath>

#include "emulator/conversion.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

ValueView numeric(const Call& call, ValueView value, int code = 28765) {
  if (!value.is_number())
    throw CommandError(code,
                       fmt::format("{} only supports numeric types, not {}", call.name, wire::type_name(value.type())));
  return value;
}

Value absolute(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const ValueView value = numeric(call, call[0]);
  if (value.is(Type::Double)) return Value::number(std::abs(value.as_double()));
  if (value.is(Type::Decimal128)) return Value::decimal(wire::abs(value.as_decimal()));
  const std::int64_t number = *exact_int64(value);
  if (number == INT64_MIN) throw CommandError(28680, "can't take $abs of long long min");
  return integer_of(value.type(), number < 0 ? -number : number);
}

template <double (*of_double)(double), wire::Decimal128 (*of_decimal)(wire::Decimal128)>
Value to_whole(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const ValueView value = numeric(call, call[0]);
  if (value.is(Type::Double)) return Value::number(of_double(value.as_double()));
  if (value.is(Type::Decimal128)) return Value::decimal(of_decimal(value.as_decimal()));
  return value;
}

template <double (*of_double)(double), wire::Decimal128 (*of_decimal)(wire::Decimal128)>
Value real_function(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const ValueView value = numeric(call, call[0]);
  if (value.is(Type::Decimal128)) return Value::decimal(of_decimal(value.as_decimal()));
  return Value::number(of_double(to_double(value)));
}

double double_floor(double value) { return std::floor(value); }
double double_ceil(double value) { return std::ceil(value); }
double double_exp(double value) { return std::exp(value); }

Value round_to_places(const Call& call, wire::Rounding rounding) {
  if (call[0].view().is_nullish()) return Value::null();
  int places = 0;
  const ValueView value = numeric(call, call[0], 51081);
  if (call.count() > 1) {
    if (call[1].view().is_nullish()) return Value::null();
    if (!call[1].view().is_number())
      throw CommandError(16004,
                         fmt::format("can't convert from BSON type {} to long", wire::type_name(call[1].type())));
    coerced_long(call[1]);  // refuses doubles that are no long before those that are not whole
    const std::optional<std::int32_t> given = exact_int32(call[1]);
    if (!given)
      throw CommandError(51082, "precision argument to  " + std::string(call.name) + " must be a integral value");
    places = *given;
    if (places < -20 || places > 100)
      throw CommandError(
          51083, fmt::format("cannot apply {} with precision value {} value must be in [-20, 100]", call.name, places));
  }
  if (value.is(Type::Double)) {
    const double number = value.as_double();
    if (places == 0 || !std::isfinite(number))
      return Value::number(rounding == wire::Rounding::TowardZero ? std::trunc(number) : std::nearbyint(number));
    const wire::Decimal128 exact = wire::decimal_from_double_exact(number);
    const wire::Decimal128 rounded = wire::quantize(exact, places, rounding);
    return Value::number(wire::is_nan(rounded) ? number : wire::decimal_to_double(rounded));
  }
  if (value.is(Type::Decimal128)) {
    const wire::Decimal128 rounded = wire::quantize(value.as_decimal(), places, rounding);
    return Value::decimal(wire::is_nan(rounded) ? value.as_decimal() : rounded);
  }
  if (places >= 0) return value;
  const wire::Decimal128 rounded = wire::quantize(to_decimal(value), places, rounding);
  const std::optional<std::int64_t> whole = wire::decimal_to_int64(rounded);
  if (!whole)
    throw CommandError(51080,
                       fmt::format("invalid conversion from Decimal128 result in {} resulting from arguments: [{}, {}]",
                                   call.name, *exact_int64(value), places));
  // mongod makes an int a long above its range only: below it the lower 32 bits are left.
  if (value.is(Type::Int32) && *whole < 0) return Value::int32(static_cast<std::int32_t>(*whole));
  return integer_of(value.type(), *whole);
}

Value square_root(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const ValueView value = numeric(call, call[0]);
  if (!is_nan_number(value) && to_double(value) < 0)
    throw CommandError(28714, "$sqrt's argument must be greater than or equal to 0");
  if (value.is(Type::Decimal128)) return Value::decimal(wire::square_root(value.as_decimal()));
  return Value::number(std::sqrt(to_double(value)));
}

// nullopt: it has a fraction, or no long holds it.
std::optional<std::int64_t> whole_power(std::int64_t base, std::int64_t exponent) {
  if (base == 1 || exponent == 0) return 1;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  if (exponent < 0) return std::nullopt;
  if (base == 0) return 0;
  std::optional<std::int64_t> power = 1;
  // At most 63 times: then it is too large.
  for (std::int64_t i = 0; i < exponent && power; ++i) power = narrowed(WideInteger{*power} * base);
  return power;
}

Value power(const Call& call) {
  const ValueView base = call[0];
  const ValueView exponent = call[1];
  if (base.is_nullish() || exponent.is_nullish()) return Value::null();
  if (!base.is_number())
    throw CommandError(28762, fmt::format("$pow's base must be numeric, not {}", wire::type_name(base.type())));
  if (!exponent.is_number())
    throw CommandError(28763, fmt::format("$pow's exponent must be numeric, not {}", wire::type_name(exponent.type())));
  if (is_zero_number(base) && to_double(exponent) < 0)
    throw CommandError(28764, "$pow cannot take a base of 0 and a negative exponent");
  const Type type = widest(base.type(), exponent.type());
  if (type == Type::Decimal128) return Value::decimal(wire::power(to_decimal(base), to_decimal(exponent)));
  if (type != Type::Double)
    if (const auto whole = whole_power(*exact_int64(base), *exact_int64(exponent))) return integer_of(type, *whole);
  return Value::number(std::pow(to_double(base), to_double(exponent)));
}

class RandNode final : public Expression {
 public:
  explicit RandNode(RandomStream& random) : random_(random) {}
  Value evaluate(Variables&) const override { return Value::number(random_.unit()); }

 private:
  RandomStream& random_;
};

ExpressionPtr parse_rand(const ExpressionInput& input) {
  const bool nested = input.argument.is(Type::Document) || input.argument.is(Type::Array);
  if (!nested) throw CommandError(10065, "invalid parameter: expected an object ($rand)");
  if (!input.argument.as_document().empty()) throw CommandError(3040501, "$rand does not currently accept arguments");
  if (!input.scope.context.random) not_built("the expression $rand in this place");
  return std::make_unique<RandNode>(*input.scope.context.random);
}

constexpr ExpressionOperator operators[] = {
    {"$abs", 1, 1, absolute},
    {"$ceil", 1, 1, to_whole<double_ceil, wire::ceil>},
    {"$floor", 1, 1, to_whole<double_floor, wire::floor>},
    {.name = "$round",
     .arguments_min = 1,
     .arguments_max = 2,
     .evaluate = [](const Call& call) { return round_to_places(call, wire::Rounding::TiesToEven); },
     .arguments = Arguments::InTurn,
     .wire_version_min = 8},
    {"$trunc", 1, 2, [](const Call& call) { return round_to_places(call, wire::Rounding::TowardZero); }, nullptr,
     Arguments::InTurn},
    {"$sqrt", 1, 1, square_root},
    {"$exp", 1, 1, real_function<double_exp, wire::exponential>},
    {"$pow", 2, 2, power},
    {.name = "$isNumber",
     .arguments_min = 1,
     .arguments_max = 1,
     .evaluate = [](const Call& call) { return Value::boolean(call[0].view().is_number()); },
     .wire_version_min = 9},
    {.name = "$rand", .parse = parse_rand, .wire_version_min = 9, .folding = Folding::Never},
};

}  // namespace

extern constinit const ExpressionSpec numeric_expression{operators};

}  // namespace emulator
