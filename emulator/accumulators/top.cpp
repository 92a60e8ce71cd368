// $top, $topN, $bottom, $bottomN: outputs in the order of a sort.
#include <algorithm>

#include "emulator/accumulators/table.h"
#include "emulator/array_builder.h"
#include "emulator/count_argument.h"
#include "emulator/store/sort.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

enum class Side { Top, Bottom };
enum class Form { One, Many };

// Takes {root: document, output: value}.
class OrderedAccumulator final : public Accumulator {
 public:
  OrderedAccumulator(Side side, Form form, std::size_t count, std::shared_ptr<const SortPattern> order)
      : side_(side), form_(form), count_(count), order_(std::move(order)) {}

  void add(ValueView value) override {
    const wire::DocumentView pair = value.as_document();
    Entry entry{order_->key(pair["root"].as_document()), pair["output"] ? Value(pair["output"]) : Value::null()};
    const auto at = std::upper_bound(
        entries_.begin(), entries_.end(), entry,
        [this](const Entry& left, const Entry& right) { return order_->compare_keys(left.key, right.key) < 0; });
    entries_.insert(at, std::move(entry));
    if (entries_.size() > count_) entries_.erase(side_ == Side::Top ? entries_.end() - 1 : entries_.begin());
  }

  Value result() const override {
    if (form_ == Form::One) return entries_.empty() ? Value::null() : entries_.front().output;
    ArrayBuilder out;
    for (const Entry& entry : entries_) out.add(entry.output);
    return out.finish();
  }

 private:
  struct Entry {
    std::vector<Value> key;
    Value output;
  };
  Side side_;
  Form form_;
  std::size_t count_;
  std::shared_ptr<const SortPattern> order_;
  std::vector<Entry> entries_;
};

struct Arguments {
  ValueView output;
  ValueView sort_by;
  ValueView count;
};

Arguments read(const AccumulatorInput& input, Form form) {
  if (!input.argument.is(Type::Document))
    throw CommandError(5788001, fmt::format("specification must be an object; found {}",
                                            bson_text(wire::Element{input.name, input.argument})));
  Arguments out;
  for (const auto& [name, value] : input.argument.as_document()) {
    if (name == "output")
      out.output = value;
    else if (name == "sortBy")
      out.sort_by = value;
    else if (name == "n" && form == Form::Many)
      out.count = value;
    else
      throw CommandError(5788002, fmt::format("Unknown argument to {} '{}'", input.name, name));
  }
  if (out.sort_by && !out.sort_by.is(Type::Document))
    throw CommandError(10065, "invalid parameter: expected an object (sortBy)");
  if (form == Form::Many && out.count.missing()) throw CommandError(5788003, "Missing value for 'n'");
  if (out.output.missing()) throw CommandError(5788004, "Missing value for 'output'");
  if (out.sort_by.missing()) throw CommandError(5788005, "Missing value for 'sortBy'");
  return out;
}

template <Side side, Form form>
AccumulatorDefinition parse(const AccumulatorInput& input) {
  const Arguments arguments = read(input, form);
  auto order = std::make_shared<const SortPattern>(
      SortPattern::parse(arguments.sort_by.as_document(), input.context.profile->wording, input.context.collation));
  wire::DocumentBuilder pair;
  pair.append_string("root", "$$ROOT").append("output", arguments.output);
  const Value one = Value::int32(1);
  std::shared_ptr<const Expression> count =
      parse_expression(arguments.count ? arguments.count : one.view(), input.context);
  return {parse_expression(Value::document(pair.view()), input.context),
          [order = std::move(order), count = std::move(count)](ValueView group) {
            const wire::DocumentView document = group.is(Type::Document) ? group.as_document() : wire::DocumentView();
            return std::make_unique<OrderedAccumulator>(side, form, checked_count(evaluate(*count, document)), order);
          }};
}

constexpr AccumulatorName names[] = {
    {.name = "$top", .parse = parse<Side::Top, Form::One>, .wire_version_min = 17},
    {.name = "$topN", .parse = parse<Side::Top, Form::Many>, .wire_version_min = 17},
    {.name = "$bottom", .parse = parse<Side::Bottom, Form::One>, .wire_version_min = 17},
    {.name = "$bottomN", .parse = parse<Side::Bottom, Form::Many>, .wire_version_min = 17},
};

}  // namespace

extern constinit const AccumulatorSpec top_accumulator{names};

}  // namespace emulator
