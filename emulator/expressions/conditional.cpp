// $and, $or, $not, $cond, $ifNull, $switch, $literal, $const.
#include <fmt/format.h>

#include "emulator/expressions/table.h"

namespace emulator {
namespace {

using wire::Value;

enum class Logic { And, Or };

class LogicNode final : public Expression {
 public:
  LogicNode(Logic logic, std::vector<ExpressionPtr> arguments) : logic_(logic), arguments_(std::move(arguments)) {}
  Value evaluate(Variables& variables) const override {
    for (const ExpressionPtr& argument : arguments_)
      if (is_true(argument->evaluate(variables)) == (logic_ == Logic::Or)) return Value::boolean(logic_ == Logic::Or);
    return Value::boolean(logic_ == Logic::And);
  }

 private:
  Logic logic_;
  std::vector<ExpressionPtr> arguments_;
};

ExpressionPtr parse_logic(const ExpressionInput& input) {
  return std::make_unique<LogicNode>(input.name == "$and" ? Logic::And : Logic::Or,
                                     input.scope.parse_arguments(input.argument));
}

class CondNode final : public Expression {
 public:
  explicit CondNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}
  Value evaluate(Variables& variables) const override {
    return parts_[is_true(parts_[0]->evaluate(variables)) ? 1 : 2]->evaluate(variables);
  }

 private:
  std::vector<ExpressionPtr> parts_;
};

ExpressionPtr parse_cond(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"if", 17080, "Missing 'if' parameter to $cond"},
                                            {"then", 17081, "Missing 'then' parameter to $cond"},
                                            {"else", 17082, "Missing 'else' parameter to $cond"}};
  std::vector<ExpressionPtr> parts;
  if (input.argument.is(wire::Type::Document)) {
    parts = parse_members(input, names, {0, "", 17083, "Unrecognized parameter to $cond: "});
  } else {
    parts = input.scope.parse_arguments(input.argument);
    if (parts.size() != 3)
      throw CommandError(16020,
                         fmt::format("Expression $cond takes exactly 3 arguments. {} were passed in.", parts.size()));
  }
  return std::make_unique<CondNode>(std::move(parts));
}

class IfNullNode final : public Expression {
 public:
  explicit IfNullNode(std::vector<ExpressionPtr> arguments) : arguments_(std::move(arguments)) {}
  Value evaluate(Variables& variables) const override {
    Value value;
    for (const ExpressionPtr& argument : arguments_) {
      value = argument->evaluate(variables);
      if (!value.view().is_nullish()) break;
    }
    return value;
  }

 private:
  std::vector<ExpressionPtr> arguments_;
};

ExpressionPtr parse_if_null(const ExpressionInput& input) {
  std::vector<ExpressionPtr> arguments = input.scope.parse_arguments(input.argument);
  if (arguments.size() != 2 && input.scope.context.profile->wording <= Wording::V4_4)
    throw CommandError(
        16020, fmt::format("Expression $ifNull takes exactly 2 arguments. {} were passed in.", arguments.size()));
  if (arguments.size() < 2)
    throw CommandError(1257300, fmt::format("$ifNull needs at least two arguments, had: {}", arguments.size()));
  return std::make_unique<IfNullNode>(std::move(arguments));
}

class SwitchNode final : public Expression {
 public:
  struct Branch {
    ExpressionPtr condition;
    ExpressionPtr result;
  };
  SwitchNode(std::vector<Branch> branches, ExpressionPtr otherwise)
      : branches_(std::move(branches)), otherwise_(std::move(otherwise)) {}
  Value evaluate(Variables& variables) const override {
    for (const Branch& branch : branches_)
      if (is_true(branch.condition->evaluate(variables))) return branch.result->evaluate(variables);
    if (!otherwise_)
      throw CommandError(40066, "$switch could not find a matching branch for an input, and no default was specified.");
    return otherwise_->evaluate(variables);
  }

 private:
  std::vector<Branch> branches_;
  ExpressionPtr otherwise_;
};

SwitchNode::Branch parse_branch(const ExpressionInput& input, wire::ValueView value) {
  if (!value.is(wire::Type::Document))
    throw CommandError(
        40062, fmt::format("$switch expected each branch to be an object, found: {}", wire::type_name(value.type())));
  SwitchNode::Branch branch;
  for (const auto& [name, member] : value.as_document()) {
    if (name == "case")
      branch.condition = input.scope.parse(member);
    else if (name == "then")
      branch.result = input.scope.parse(member);
    else
      throw CommandError(40063, fmt::format("$switch found an unknown argument to a branch: {}", name));
  }
  if (!branch.condition) throw CommandError(40064, "$switch requires each branch have a 'case' expression");
  if (!branch.result) throw CommandError(40065, "$switch requires each branch have a 'then' expression.");
  return branch;
}

ExpressionPtr parse_switch(const ExpressionInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(40060, fmt::format("$switch requires an object as an argument, found: {}",
                                          wire::type_name(input.argument.type())));
  std::vector<SwitchNode::Branch> branches;
  ExpressionPtr otherwise;
  for (const auto& [name, member] : input.argument.as_document()) {
    if (name == "branches") {
      if (!member.is(wire::Type::Array))
        throw CommandError(
            40061, fmt::format("$switch expected an array for 'branches', found: {}", wire::type_name(member.type())));
      for (const wire::Element& each : member.as_document()) branches.push_back(parse_branch(input, each.value));
    } else if (name == "default") {
      otherwise = input.scope.parse(member);
    } else {
      throw CommandError(40067, fmt::format("$switch found an unknown argument: {}", name));
    }
  }
  if (branches.empty())
    throw CommandError(40068, input.scope.context.profile->wording <= Wording::V5_0
                                  ? "$switch requires at least one branch."
                                  : "$switch requires at least one branch");
  return std::make_unique<SwitchNode>(std::move(branches), std::move(otherwise));
}

ExpressionPtr parse_literal(const ExpressionInput& input) { return make_constant(input.argument); }

constexpr ExpressionOperator operators[] = {
    {.name = "$and", .parse = parse_logic},
    {.name = "$or", .parse = parse_logic},
    {"$not", 1, 1, [](const Call& call) { return Value::boolean(!is_true(call[0])); }},
    {.name = "$cond", .parse = parse_cond},
    {.name = "$ifNull", .parse = parse_if_null},
    {.name = "$switch", .parse = parse_switch, .folding = Folding::Never},
    {.name = "$literal", .parse = parse_literal},
    {.name = "$const", .parse = parse_literal},
};

}  // namespace

extern constinit const ExpressionSpec conditional_expression{operators};

}  // namespace emulator
