// $sum, $avg and $count.
#include "emulator/accumulators/table.h"
#include "emulator/number.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class SumAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override { sum_.add(value); }
  Value result() const override { return sum_.total(); }

 private:
  Sum sum_;
};

class AverageAccumulator final : public Accumulator {
 public:
  void add(ValueView value) override { sum_.add(value); }
  Value result() const override { return sum_.average(); }

 private:
  Sum sum_;
};

AccumulatorDefinition parse_count(const AccumulatorInput& input) {
  if (!input.argument.is(Type::Document) || !input.argument.as_document().empty())
    throw CommandError(14, "$count takes no arguments, i.e. $count:{}");
  return {parse_expression(Value::int32(1), input.context),
          [](ValueView) { return std::make_unique<SumAccumulator>(); }};
}

template <class Made>
std::unique_ptr<Accumulator> make(std::string_view) {
  return std::make_unique<Made>();
}

constexpr AccumulatorName names[] = {
    {"$sum", make<SumAccumulator>},
    {"$avg", make<AverageAccumulator>},
    {.name = "$count", .parse = parse_count, .wire_version_min = 13},
};

}  // namespace

extern constinit const AccumulatorSpec sum_accumulator{names};

}  // namespace emulator
