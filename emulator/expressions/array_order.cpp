// $sortArray and $zip.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/store/sort.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

enum class Order { Ascending, Descending };

class SortArrayNode final : public Expression {
 public:
  SortArrayNode(ExpressionPtr input, Order order, SortPattern pattern)
      : input_(std::move(input)), order_(order), pattern_(std::move(pattern)) {}
  Value evaluate(Variables& variables) const override {
    const Value array = input_->evaluate(variables);
    if (array.view().is_nullish()) return Value::null();
    if (array.type() != Type::Array)
      throw CommandError(2942504, fmt::format("The input argument to $sortArray must be an array, but was of type: {}",
                                              wire::type_name(array.type())));
    std::vector<ValueView> elements;
    for (const wire::Element& element : array.view().as_document()) elements.push_back(element.value);
    std::stable_sort(elements.begin(), elements.end(),
                     [this](ValueView left, ValueView right) { return before(left, right); });
    ArrayBuilder out;
    for (const ValueView element : elements) out.add(element);
    return out.finish();
  }

 private:
  bool before(ValueView left, ValueView right) const {
    if (pattern_.empty()) {
      const std::weak_ordering order = wire::compare_values(left, right);
      return order_ == Order::Ascending ? order < 0 : order > 0;
    }
    const auto key = [this](ValueView value) {
      return pattern_.key(value.is(Type::Document) ? value.as_document() : wire::DocumentView());
    };
    return pattern_.compare_keys(key(left), key(right)) < 0;
  }
  ExpressionPtr input_;
  Order order_;
  SortPattern pattern_;
};

ExpressionPtr parse_sort_array(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"input", 2942502, "$sortArray requires 'input' to be specified"},
                                            {"sortBy", 2942503, "$sortArray requires 'sortBy' to be specified"}};
  const std::string not_object =
      fmt::format("$sortArray requires an object as an argument, found: {}", wire::type_name(input.argument.type()));
  const std::vector<ValueView> members =
      named_members(input, names, {2942500, not_object, 2942501, "$sortArray found an unknown argument: "});
  Order order = Order::Ascending;
  SortPattern pattern;
  if (members[1].is(Type::Document)) {
    if (members[1].as_document().empty())
      throw CommandError(2942505, "BadValue: The sort pattern is empty when it should be a set of fields.");
    pattern = SortPattern::parse(members[1].as_document());
  } else if (members[1].is_number()) {
    const double direction = to_double(members[1]);
    if (direction != 1 && direction != -1)
      throw CommandError(2942506, "The $sort element value must be either 1 or -1");
    if (direction < 0) order = Order::Descending;
  } else {
    throw CommandError(
        2942507, "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields");
  }
  return std::make_unique<SortArrayNode>(input.scope.parse(members[0]), order, std::move(pattern));
}

enum class ZipLength { Shortest, Longest };

class ZipNode final : public Expression {
 public:
  ZipNode(std::vector<ExpressionPtr> inputs, std::vector<ExpressionPtr> defaults, ZipLength length)
      : inputs_(std::move(inputs)), defaults_(std::move(defaults)), length_(length) {}
  Value evaluate(Variables& variables) const override {
    std::vector<Value> arrays;
    std::vector<std::vector<ValueView>> columns;
    for (const ExpressionPtr& input : inputs_) {
      arrays.push_back(input->evaluate(variables));
      if (arrays.back().view().is_nullish()) return Value::null();
      if (arrays.back().type() != Type::Array)
        throw CommandError(
            34468, fmt::format("$zip found a non-array expression in input: {}", expression_text(arrays.back())));
    }
    std::size_t rows = length_ == ZipLength::Longest ? 0 : SIZE_MAX;
    for (const Value& array : arrays) {
      columns.emplace_back();
      for (const wire::Element& element : array.view().as_document()) columns.back().push_back(element.value);
      rows =
          length_ == ZipLength::Longest ? std::max(rows, columns.back().size()) : std::min(rows, columns.back().size());
    }
    std::vector<Value> fillers;
    for (const ExpressionPtr& filler : defaults_) fillers.push_back(filler->evaluate(variables));
    ArrayBuilder out;
    for (std::size_t row = 0; row < rows; ++row) {
      ArrayBuilder tuple;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (row < columns[i].size())
          tuple.add(columns[i][row]);
        else
          tuple.add(i < fillers.size() && fillers[i] ? fillers[i] : Value::null());
      }
      out.add(tuple.finish());
    }
    return out.finish();
  }

 private:
  std::vector<ExpressionPtr> inputs_;
  std::vector<ExpressionPtr> defaults_;
  ZipLength length_;
};

ExpressionPtr parse_zip(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"inputs"}, {"useLongestLength"}, {"defaults"}};
  const std::string not_object =
      fmt::format("$zip only supports an object as an argument, found {}", wire::type_name(input.argument.type()));
  const std::vector<ValueView> members =
      named_members(input, names, {34460, not_object, 34464, "$zip found an unknown argument: "});
  std::vector<ExpressionPtr> inputs;
  std::vector<ExpressionPtr> defaults;
  ZipLength length = ZipLength::Shortest;
  if (members[0]) {
    if (!members[0].is(Type::Array))
      throw CommandError(
          34461, fmt::format("inputs must be an array of expressions, found {}", wire::type_name(members[0].type())));
    inputs = input.scope.parse_arguments(members[0]);
  }
  if (members[1]) {
    if (!members[1].is(Type::Bool))
      throw CommandError(
          34463, fmt::format("useLongestLength must be a bool, found {}", wire::type_name(input.argument.type())));
    if (members[1].as_bool()) length = ZipLength::Longest;
  }
  if (members[2]) {
    if (!members[2].is(Type::Array))
      throw CommandError(
          34462, fmt::format("defaults must be an array of expressions, found {}", wire::type_name(members[2].type())));
    defaults = input.scope.parse_arguments(members[2]);
  }
  if (inputs.empty()) throw CommandError(34465, "$zip requires at least one input array");
  if (!defaults.empty() && length == ZipLength::Shortest)
    throw CommandError(34466, "cannot specify defaults unless useLongestLength is true");
  if (!defaults.empty() && defaults.size() != inputs.size())
    throw CommandError(34467, "defaults and inputs must have the same length");
  return std::make_unique<ZipNode>(std::move(inputs), std::move(defaults), length);
}

constexpr ExpressionOperator operators[] = {
    {.name = "$sortArray",
     .parse = parse_sort_array,
     .wire_version_min = 17,
     .under_collation = UnderCollation::Refused},
    {.name = "$zip", .parse = parse_zip},
};

}  // namespace

extern constinit const ExpressionSpec array_order_expression{operators};

}  // namespace emulator
