// $and, $or, $nor, $not, $comment, $alwaysTrue, $alwaysFalse, $expr.
#include <fmt/format.h>

#include "emulator/predicates/table.h"

namespace emulator {
namespace {

MatchNodePtr parse_junction(const PredicateInput& input) {
  const auto& [name, value] = input.element;
  if (!value.is(wire::Type::Array)) throw CommandError(2, fmt::format("{} must be an array", name));
  if (value.as_document().empty()) throw CommandError(2, "$and/$or/$nor must be a nonempty array");
  std::vector<MatchNodePtr> nodes = optimized(input.context, [&] {
    std::vector<MatchNodePtr> parsed;
    for (const wire::Element& each : value.as_document()) {
      if (!each.value.is(wire::Type::Document)) throw CommandError(2, "$or/$and/$nor entries need to be full objects");
      parsed.push_back(parse_filter(each.value.as_document(), input.context));
    }
    return parsed;
  });
  return make_junction(name == "$and" ? Junction::And : name == "$or" ? Junction::Or : Junction::Nor, std::move(nodes));
}

MatchNodePtr parse_not(const PredicateInput& input) {
  const wire::ValueView value = input.element.value;
  if (value.is(wire::Type::Regex))
    return make_not(make_regex(input.path, value.as_regex().pattern, value.as_regex().options));
  if (!value.is(wire::Type::Document)) throw CommandError(2, "$not needs a regex or a document");
  if (value.as_document().empty()) throw CommandError(2, "$not cannot be empty");
  return make_not(parse_field_operators(input.path, value.as_document(), input.context));
}

MatchNodePtr parse_comment(const PredicateInput&) { return nullptr; }

MatchNodePtr parse_always(const PredicateInput& input) {
  const std::string_view name = input.element.name;
  if (whole_number(input.element, Whole::Any, 9) != 1)
    throw CommandError(9, fmt::format("{} must be an integer value of 1", name));
  return make_junction(name == "$alwaysTrue" ? Junction::And : Junction::Or, {});
}

class ExpressionNode final : public MatchNode {
 public:
  explicit ExpressionNode(ExpressionPtr expression) : expression_(std::move(expression)) {}
  bool matches(wire::DocumentView document, std::optional<std::size_t>*) const override {
    return is_true(evaluate(*expression_, document));
  }
  bool matches_value(wire::ValueView value) const override {
    return matches(value.is(wire::Type::Document) ? value.as_document() : wire::DocumentView(), nullptr);
  }

 private:
  ExpressionPtr expression_;
};

MatchNodePtr parse_expr(const PredicateInput& input) {
  if (input.context.place == MatchPlace::ArrayFilter) throw CommandError(224, "$expr is not allowed in this context");
  return std::make_unique<ExpressionNode>(
      optimized(input.context, [&] { return parse_expression(input.element.value, input.context.expressions); }));
}

constexpr PredicateOperator operators[] = {
    {"$and", PredicatePlace::TopLevel, parse_junction},       {"$or", PredicatePlace::TopLevel, parse_junction},
    {"$nor", PredicatePlace::TopLevel, parse_junction},       {"$not", PredicatePlace::Field, parse_not},
    {"$comment", PredicatePlace::TopLevel, parse_comment},    {"$alwaysTrue", PredicatePlace::TopLevel, parse_always},
    {"$alwaysFalse", PredicatePlace::TopLevel, parse_always}, {"$expr", PredicatePlace::TopLevel, parse_expr},
};

}  // namespace

extern constinit const PredicateSpec logical_predicate{operators};

}  // namespace emulator
