#include <string>

#include "emulator/command_error.h"
#include "emulator/update_arithmetic.h"
#include "wire/compare.h"
#include "wire/decimal.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Decimal128;
using wire::Type;
using wire::Value;
using wire::ValueView;

double to_double(ValueView value) {
  if (value.is(Type::Double)) return value.as_double();
  if (value.is(Type::Int32)) return value.as_int32();
  return static_cast<double>(value.as_int64());
}

std::int64_t to_int64(ValueView value) { return value.is(Type::Int32) ? value.as_int32() : value.as_int64(); }

Decimal128 to_decimal(ValueView value) {
  if (value.is(Type::Decimal128)) return value.as_decimal();
  if (value.is(Type::Double)) return wire::decimal_from_double(value.as_double());
  return wire::decimal_from_int64(to_int64(value));
}

// Missing when an int64 overflows.
Value compute(Arithmetic operation, ValueView left, ValueView right) {
  const bool sum = operation == Arithmetic::Increment;
  if (left.is(Type::Decimal128) || right.is(Type::Decimal128)) {
    Decimal128 a = to_decimal(left), b = to_decimal(right);
    return Value::decimal(sum ? wire::add(a, b) : wire::multiply(a, b));
  }
  if (left.is(Type::Double) || right.is(Type::Double)) {
    double a = to_double(left), b = to_double(right);
    return Value::number(sum ? a + b : a * b);
  }
  std::int64_t a = to_int64(left), b = to_int64(right), result = 0;
  if (sum ? __builtin_add_overflow(a, b, &result) : __builtin_mul_overflow(a, b, &result)) return {};
  if (left.is(Type::Int32) && right.is(Type::Int32) && result == static_cast<std::int32_t>(result))
    return Value::int32(static_cast<std::int32_t>(result));
  return Value::int64(result);
}

// A missing field counts as the int32 0: it is multiplied, so that NaN, infinities and signs show.
Value multiplied_zero(ValueView operand) {
  const Value zero = Value::int32(0);
  return compute(Arithmetic::Multiply, zero.view(), operand);
}

// SafeNum compares by value within a type: -0.0 is still 0.0 and 1.00 still 1.0, but a NaN is never what it was.
bool is_same(ValueView before, ValueView after) {
  if (before.type() != after.type()) return false;
  if (before.is(Type::Double)) return before.as_double() == after.as_double();
  if (before.is(Type::Decimal128) && wire::is_nan(before.as_decimal())) return false;
  return wire::equal_values(before, after);
}

class ArithmeticModifier : public Modifier {
 public:
  ArithmeticModifier(Arithmetic operation, ValueView operand) : operation_(operation), operand_(operand) {}

  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value.missing())
      return UpdateOutcome::changed(operation_ == Arithmetic::Increment ? Value(operand_) : multiplied_zero(operand_));
    std::string name = operation_ == Arithmetic::Increment ? "$inc" : "$mul";
    if (!target.value.is_number())
      throw CommandError(14, "Cannot apply " + name + " to a value of non-numeric type. {" + target.id_text() +
                                 "} has the field '" + std::string(target.name) + "' of non-numeric type " +
                                 std::string(type_name(target.value.type())));
    Value result = compute(operation_, target.value, operand_);
    if (result.missing())
      throw CommandError(2, "Failed to apply " + name + " operations to current value ((" +
                                (target.value.is(Type::Int32) ? "NumberInt" : "NumberLong") + ")" +
                                wire::shell_value_text(target.value) + ") for document {" + target.id_text() + "}");
    if (is_same(target.value, result)) return {};
    return UpdateOutcome::changed(std::move(result));
  }

 private:
  Arithmetic operation_;
  ValueView operand_;
};

}  // namespace

std::unique_ptr<Modifier> parse_arithmetic(Arithmetic operation, std::string_view field, ValueView argument) {
  if (!argument.is_number())
    throw CommandError(14, std::string("Cannot ") + (operation == Arithmetic::Increment ? "increment" : "multiply") +
                               " with non-numeric argument: {" + std::string(field) + ": " +
                               wire::shell_value_text(argument) + "}");
  return std::make_unique<ArithmeticModifier>(operation, argument);
}

}  // namespace emulator
