// $firstN, $lastN, $minN, $maxN.
#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "emulator/accumulators/table.h"
#include "emulator/array_builder.h"
#include "emulator/count_argument.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Value;
using wire::ValueView;

enum class Which { First, Last, Least, Greatest };

class CountedAccumulator final : public Accumulator {
 public:
  CountedAccumulator(Which which, std::size_t count) : which_(which), count_(count) {}

  void add(ValueView value) override {
    if (which_ == Which::First && values_.size() == count_) return;
    if (which_ == Which::First || which_ == Which::Last) {
      values_.push_back(value ? Value(value) : Value::null());
      if (values_.size() > count_) values_.pop_front();
      return;
    }
    if (value.is_nullish()) return;
    const auto at = std::upper_bound(values_.begin(), values_.end(), value, [this](ValueView left, ValueView right) {
      const auto order = wire::compare_values(left, right);
      return which_ == Which::Least ? order < 0 : order > 0;
    });
    values_.insert(at, Value(value));
    if (values_.size() > count_) values_.pop_back();
  }

  Value result() const override {
    ArrayBuilder out;
    for (const Value& value : values_) out.add(value);
    return out.finish();
  }

 private:
  Which which_;
  std::size_t count_;
  std::deque<Value> values_;
};

struct CountedInput {
  ValueView input;
  ValueView count;
};

CountedInput counted_input(std::string_view name, ValueView argument) {
  if (!argument.is(wire::Type::Document))
    throw CommandError(
        name == "$minN" || name == "$maxN" ? 5787900 : 5787801,
        fmt::format("specification must be an object; found {}", bson_text(wire::Element{name, argument})));
  CountedInput out;
  for (const auto& [member, value] : argument.as_document()) {
    if (member != "input" && member != "n")
      throw CommandError(5787901, fmt::format("Unknown argument for 'n' operator: {}", member));
    (member == "input" ? out.input : out.count) = value;
  }
  if (out.input.missing()) throw CommandError(5787907, "Missing value for 'input'");
  if (out.count.missing()) throw CommandError(5787906, "Missing value for 'n'");
  return out;
}

template <Which which>
AccumulatorDefinition parse(const AccumulatorInput& input) {
  const CountedInput counted = counted_input(input.name, input.argument);
  std::shared_ptr<const Expression> count = parse_expression(counted.count, input.context);
  return {parse_expression(counted.input, input.context), [count = std::move(count)](ValueView group) {
            const wire::DocumentView document =
                group.is(wire::Type::Document) ? group.as_document() : wire::DocumentView();
            return std::make_unique<CountedAccumulator>(which, checked_count(evaluate(*count, document)));
          }};
}

constexpr AccumulatorName names[] = {
    {.name = "$firstN", .parse = parse<Which::First>, .wire_version_min = 17},
    {.name = "$lastN", .parse = parse<Which::Last>, .wire_version_min = 17},
    {.name = "$minN", .parse = parse<Which::Least>, .compares = true, .wire_version_min = 17},
    {.name = "$maxN", .parse = parse<Which::Greatest>, .compares = true, .wire_version_min = 17},
};

}  // namespace

extern constinit const AccumulatorSpec first_n_accumulator{names};

}  // namespace emulator
