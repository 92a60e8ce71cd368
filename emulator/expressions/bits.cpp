// $bitAnd, $bitOr, $bitXor, $bitNot (6.3 and later).
#include <fmt/format.h>

#include "emulator/expressions/table.h"
#include "emulator/number.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::int64_t checked(const Call& call, ValueView value) {
  if (!is_integral_type(value.type()))
    throw CommandError(14, fmt::format("{} only supports int and long operands.", call.name));
  return *exact_int64(value);
}

template <class Combine>
Value combined(const Call& call, std::int64_t neutral, Combine combine) {
  std::int64_t bits = neutral;
  Type type = Type::Int32;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    bits = combine(bits, checked(call, argument));
    type = widest(type, argument.type());
  }
  return type == Type::Int32 ? Value::int32(static_cast<std::int32_t>(bits)) : Value::int64(bits);
}

Value bit_and(const Call& call) {
  return combined(call, -1, [](std::int64_t left, std::int64_t right) { return left & right; });
}
Value bit_or(const Call& call) {
  return combined(call, 0, [](std::int64_t left, std::int64_t right) { return left | right; });
}
Value bit_xor(const Call& call) {
  return combined(call, 0, [](std::int64_t left, std::int64_t right) { return left ^ right; });
}

Value bit_not(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const std::int64_t bits = ~checked(call, call[0]);
  return call[0].type() == Type::Int32 ? Value::int32(static_cast<std::int32_t>(bits)) : Value::int64(bits);
}

constexpr int mongodb_6_3 = 20;

constexpr ExpressionOperator operators[] = {
    {.name = "$bitAnd", .arguments_max = any_number, .evaluate = bit_and, .wire_version_min = mongodb_6_3},
    {.name = "$bitOr", .arguments_max = any_number, .evaluate = bit_or, .wire_version_min = mongodb_6_3},
    {.name = "$bitXor", .arguments_max = any_number, .evaluate = bit_xor, .wire_version_min = mongodb_6_3},
    {.name = "$bitNot", .arguments_min = 1, .arguments_max = 1, .evaluate = bit_not, .wire_version_min = mongodb_6_3},
};

}  // namespace

extern constinit const ExpressionSpec bits_expression{operators};

}  // namespace emulator
