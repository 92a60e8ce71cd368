// $let, $map, $filter, $reduce: they give names to values.
#include <fmt/format.h>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class LetNode final : public Expression {
 public:
  struct Binding {
    std::size_t slot;
    ExpressionPtr expression;
  };
  LetNode(std::vector<Binding> bindings, ExpressionPtr in) : bindings_(std::move(bindings)), in_(std::move(in)) {}
  Value evaluate(Variables& variables) const override {
    for (const Binding& binding : bindings_)
      set_local(variables, binding.slot, binding.expression->evaluate(variables));
    return in_->evaluate(variables);
  }

 private:
  std::vector<Binding> bindings_;
  ExpressionPtr in_;
};

ExpressionPtr parse_let(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"vars", 16876, "Missing 'vars' parameter to $let"},
                                            {"in", 16877, "Missing 'in' parameter to $let"}};
  const std::vector<ValueView> members =
      named_members(input, names, {16874, "", 16875, "Unrecognized parameter to $let: "});
  if (!members[0].is(Type::Document) && !members[0].is(Type::Array))
    throw CommandError(10065, "invalid parameter: expected an object (vars)");
  // The variables do not see each other: all are parsed before the first is declared.
  std::vector<LetNode::Binding> bindings;
  for (const auto& [name, value] : members[0].as_document()) {
    check_variable_name(name, input.scope.context.profile->wording);
    bindings.push_back({0, input.scope.parse(value)});
  }
  std::size_t i = 0;
  for (const wire::Element& element : members[0].as_document()) bindings[i++].slot = input.scope.declare(element.name);
  ExpressionPtr in = input.scope.parse(members[1]);
  input.scope.forget(bindings.size());
  return std::make_unique<LetNode>(std::move(bindings), std::move(in));
}

std::string_view name_given(ValueView as, Wording wording) {
  if (!as) return "this";
  const std::string_view name = as.is(Type::String) ? as.as_string() : std::string_view();
  check_variable_name(name, wording);
  return name;
}

class MapNode final : public Expression {
 public:
  MapNode(ExpressionPtr input, std::size_t slot, ExpressionPtr in)
      : input_(std::move(input)), slot_(slot), in_(std::move(in)) {}
  Value evaluate(Variables& variables) const override {
    const Value array = input_->evaluate(variables);
    if (array.view().is_nullish()) return Value::null();
    if (array.type() != Type::Array)
      throw CommandError(16883, fmt::format("input to $map must be an array not {}", wire::type_name(array.type())));
    ArrayBuilder out;
    for (const wire::Element& element : array.view().as_document()) {
      set_local(variables, slot_, element.value);
      const Value value = in_->evaluate(variables);
      out.add(value ? value : Value::null());
    }
    return out.finish();
  }

 private:
  ExpressionPtr input_;
  std::size_t slot_;
  ExpressionPtr in_;
};

ExpressionPtr parse_map(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {
      {"input", 16880, "Missing 'input' parameter to $map"}, {"as"}, {"in", 16882, "Missing 'in' parameter to $map"}};
  const std::vector<ValueView> members =
      named_members(input, names, {16878, "", 16879, "Unrecognized parameter to $map: "});
  ExpressionPtr array = input.scope.parse(members[0]);
  const std::size_t slot = input.scope.declare(name_given(members[1], input.scope.context.profile->wording));
  ExpressionPtr in = input.scope.parse(members[2]);
  input.scope.forget(1);
  return std::make_unique<MapNode>(std::move(array), slot, std::move(in));
}

class FilterNode final : public Expression {
 public:
  FilterNode(ExpressionPtr input, std::size_t slot, ExpressionPtr condition, ExpressionPtr limit)
      : input_(std::move(input)), slot_(slot), condition_(std::move(condition)), limit_(std::move(limit)) {}
  Value evaluate(Variables& variables) const override {
    Value array = input_->evaluate(variables);
    if (array.view().is_nullish()) return Value::null();
    if (array.type() != Type::Array)
      throw CommandError(28651, fmt::format("input to $filter must be an array not {}", wire::type_name(array.type())));
    if (array.view().as_document().empty()) return array;
    const std::int64_t limit = limit_of(variables);
    ArrayBuilder out;
    for (const wire::Element& element : array.view().as_document()) {
      set_local(variables, slot_, element.value);
      if (!is_true(condition_->evaluate(variables))) continue;
      out.add(element.value);
      if (static_cast<std::int64_t>(out.count()) == limit) break;
    }
    return out.finish();
  }

 private:
  std::int64_t limit_of(Variables& variables) const {
    if (!limit_) return INT64_MAX;
    const Value value = limit_->evaluate(variables);
    if (value.view().is_nullish()) return INT64_MAX;
    const std::optional<std::int64_t> limit = value.view().is_number() ? exact_int64(value) : std::nullopt;
    if (!limit || *limit > INT32_MAX || *limit < INT32_MIN)
      throw CommandError(327391, fmt::format("$filter: limit must be represented as a 32-bit integral value: {}",
                                             expression_text(value)));
    if (*limit <= 0) throw CommandError(327392, fmt::format("$filter: limit must be greater than 0: {}", *limit));
    return *limit;
  }
  ExpressionPtr input_;
  std::size_t slot_;
  ExpressionPtr condition_;
  ExpressionPtr limit_;
};

ExpressionPtr parse_filter(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"input", 28648, "Missing 'input' parameter to $filter"},
                                            {"as"},
                                            {"cond", 28650, "Missing 'cond' parameter to $filter"},
                                            {"limit"}};
  // `limit` came with 6.0.
  const std::span known(names, input.scope.context.profile->wording > Wording::V5_0 ? 4 : 3);
  std::vector<ValueView> members =
      named_members(input, known, {28646, "", 28647, "Unrecognized parameter to $filter: "});
  members.resize(std::size(names));
  ExpressionPtr array = input.scope.parse(members[0]);
  const std::size_t slot = input.scope.declare(name_given(members[1], input.scope.context.profile->wording));
  ExpressionPtr condition = input.scope.parse(members[2]);
  input.scope.forget(1);
  ExpressionPtr limit = members[3] ? input.scope.parse(members[3]) : nullptr;
  return std::make_unique<FilterNode>(std::move(array), slot, std::move(condition), std::move(limit));
}

// Whether documents and arrays stand in each other on more than so many levels.
bool is_deeper(wire::ValueView value, int levels) {
  if (!value.is(Type::Document) && !value.is(Type::Array)) return false;
  if (levels == 0) return true;
  for (const wire::Element& element : value.as_document())
    if (is_deeper(element.value, levels - 1)) return true;
  return false;
}

// Only here an expression of any length of its own makes nesting of any depth: what it carries on is bounded.
class ReduceNode final : public Expression {
 public:
  ReduceNode(ExpressionPtr input, ExpressionPtr initial, std::size_t this_slot, std::size_t value_slot,
             ExpressionPtr in)
      : input_(std::move(input)),
        initial_(std::move(initial)),
        this_slot_(this_slot),
        value_slot_(value_slot),
        in_(std::move(in)) {}
  Value evaluate(Variables& variables) const override {
    const Value array = input_->evaluate(variables);
    if (array.view().is_nullish()) return Value::null();
    if (array.type() != Type::Array)
      throw CommandError(40080,
                         fmt::format("$reduce requires that 'input' be an array, found: {}", expression_text(array)));
    Value accumulated = initial_->evaluate(variables);
    for (const wire::Element& element : array.view().as_document()) {
      set_local(variables, this_slot_, element.value);
      set_local(variables, value_slot_, std::move(accumulated));
      accumulated = in_->evaluate(variables);
      if (is_deeper(accumulated.view(), wire::depth_max))
        throw CommandError(15, "cannot convert document to BSON because it exceeds the limit of 200 levels of nesting");
    }
    return accumulated;
  }

 private:
  ExpressionPtr input_;
  ExpressionPtr initial_;
  std::size_t this_slot_;
  std::size_t value_slot_;
  ExpressionPtr in_;
};

ExpressionPtr parse_reduce(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"input", 40077, "$reduce requires 'input' to be specified"},
                                            {"initialValue", 40078, "$reduce requires 'initialValue' to be specified"},
                                            {"in", 40079, "$reduce requires 'in' to be specified"}};
  if (!input.argument.is(Type::Document))
    throw CommandError(40075, fmt::format("$reduce requires an object as an argument, found: {}",
                                          wire::type_name(input.argument.type())));
  ExpressionPtr array;
  ExpressionPtr initial;
  ExpressionPtr in;
  std::size_t this_slot = 0;
  std::size_t value_slot = 0;
  const auto take = [&](std::size_t at, ValueView member) {
    if (names[at].name == "input") array = input.scope.parse(member);
    if (names[at].name == "initialValue") initial = input.scope.parse(member);
    if (names[at].name != "in") return;
    this_slot = input.scope.declare("this");
    value_slot = input.scope.declare("value");
    in = input.scope.parse(member);
    input.scope.forget(2);
  };
  each_named_member(input, names, {40075, "", 40076, "$reduce found an unknown argument: "}, take);
  return std::make_unique<ReduceNode>(std::move(array), std::move(initial), this_slot, value_slot, std::move(in));
}

constexpr ExpressionOperator operators[] = {
    {.name = "$let", .parse = parse_let, .folding = Folding::Never},
    {.name = "$map", .parse = parse_map, .folding = Folding::Never},
    {.name = "$filter", .parse = parse_filter, .folding = Folding::Never},
    {.name = "$reduce", .parse = parse_reduce, .folding = Folding::Never},
};

}  // namespace

extern constinit const ExpressionSpec binding_expression{operators};

}  // namespace emulator
