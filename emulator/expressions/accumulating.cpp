// $sum, $avg, $min, $max, $stdDevPop, $stdDevSamp over their arguments, or over the elements of the only one.
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/standard_deviation.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

template <class Take>
void each_operand(const Call& call, const Take& take) {
  if (call.count() == 1 && call[0].type() == Type::Array) {
    for (const wire::Element& element : call[0].view().as_document()) take(element.value);
    return;
  }
  for (const Value& argument : call) take(argument);
}

Value sum_or_average(const Call& call) {
  Sum sum;
  each_operand(call, [&](ValueView value) { sum.add(value); });
  return call.name == "$sum" ? sum.total() : sum.average();
}

Value extreme(const Call& call) {
  ValueView best;
  each_operand(call, [&](ValueView value) {
    if (value.is_nullish()) return;
    if (!best || (call.name == "$min" ? wire::compare_values(value, best) < 0 : wire::compare_values(value, best) > 0))
      best = value;
  });
  return best ? Value(best) : Value::null();
}

Value deviation(const Call& call) {
  StandardDeviation gathered;
  each_operand(call, [&](ValueView value) { gathered.add(value); });
  return call.name == "$stdDevPop" ? gathered.population() : gathered.sample();
}

constexpr ExpressionOperator operators[] = {
    {"$sum", 0, any_number, sum_or_average},
    {"$avg", 0, any_number, sum_or_average},
    {"$min", 0, any_number, extreme, nullptr, Arguments::AllFirst, 0, UnderCollation::Refused},
    {"$max", 0, any_number, extreme, nullptr, Arguments::AllFirst, 0, UnderCollation::Refused},
    {"$stdDevPop", 0, any_number, deviation},
    {"$stdDevSamp", 0, any_number, deviation},
};

}  // namespace

extern constinit const ExpressionSpec accumulating_expression{operators};

}  // namespace emulator
