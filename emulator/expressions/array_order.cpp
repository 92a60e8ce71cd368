// $sortArray and $zip.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/push_clauses.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class SortArrayNode final : public Expression {
 public:
  SortArrayNode(ExpressionPtr input, PushOrder order) : input_(std::move(input)), order_(std::move(order)) {}
  Value evaluate(Variables& variables) const override {
    const Value array = input_->evaluate(variables);
    if (array.view().is_nullish()) return Value::null();
    if (array.type() != Type::Array)
      throw CommandError(2942504, fmt::format("The input argument to $sortArray must be an array, but was of type: {}",
                                              wire::type_name(array.type())));
    std::vector<ValueView> elements;
    for (const wire::Element& element : array.view().as_document()) elements.push_back(element.value);
    std::stable_sort(elements.begin(), elements.end(),
                     [this](ValueView left, ValueView right) { return order_.before(left, right); });
    ArrayBuilder out;
    for (const ValueView element : elements) out.add(element);
    return out.finish();
  }

 private:
  ExpressionPtr input_;
  PushOrder order_;
};

// As the $sort of $push, whose errors it tells on as its own.
PushOrder array_order(ValueView value, Wording wording) {
  try {
    return parse_push_order(value, wording);
  } catch (const CommandError& error) {
    if (value.is(Type::Document)) throw CommandError(2942505, "BadValue: " + error.message);
    throw CommandError(value.is_number() ? 2942506 : 2942507, error.message);
  }
}

ExpressionPtr parse_sort_array(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"input", 2942502, "$sortArray requires 'input' to be specified"},
                                            {"sortBy", 2942503, "$sortArray requires 'sortBy' to be specified"}};
  const std::string not_object =
      fmt::format("$sortArray requires an object as an argument, found: {}", wire::type_name(input.argument.type()));
  ExpressionPtr array;
  ValueView sort_by;
  each_named_member(input, names, {2942500, not_object, 2942501, "$sortArray found an unknown argument: "},
                    [&](std::size_t at, ValueView member) {
                      if (names[at].name == "input")
                        array = input.scope.parse(member);
                      else
                        sort_by = member;
                    });
  return std::make_unique<SortArrayNode>(std::move(array), array_order(sort_by, input.scope.context.profile->wording));
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
  std::vector<ExpressionPtr> inputs;
  std::vector<ExpressionPtr> defaults;
  ZipLength length = ZipLength::Shortest;
  const auto array = [&](std::string_view name, int code, ValueView member) {
    if (!member.is(Type::Array))
      throw CommandError(
          code, fmt::format("{} must be an array of expressions, found {}", name, wire::type_name(member.type())));
    return input.scope.parse_arguments(member);
  };
  const auto take = [&](std::size_t at, ValueView member) {
    const std::string_view name = names[at].name;
    if (name == "inputs") inputs = array(name, 34461, member);
    if (name == "defaults") defaults = array(name, 34462, member);
    if (name != "useLongestLength") return;
    if (!member.is(Type::Bool))
      throw CommandError(
          34463, fmt::format("useLongestLength must be a bool, found {}", wire::type_name(input.argument.type())));
    if (member.as_bool()) length = ZipLength::Longest;
  };
  each_named_member(input, names, {34460, not_object, 34464, "$zip found an unknown argument: "}, take);
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
     .under_collation = UnderCollation::Refused,
     .folding = Folding::Never},
    {.name = "$zip", .parse = parse_zip, .folding = Folding::Never},
};

}  // namespace

extern constinit const ExpressionSpec array_order_expression{operators};

}  // namespace emulator
