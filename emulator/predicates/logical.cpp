// $and, $or, $nor, $not, $comment, $alwaysTrue, $alwaysFalse, $expr.
#include <fmt/format.h>

#include "emulator/predicates/table.h"

namespace emulator {
namespace {

// The path of which a filter tests nothing but an equality; empty: it is more, or something else.
std::string_view path_of_equality(wire::DocumentView filter) {
  if (filter.count() != 1) return {};
  const auto [name, value] = filter.first();
  if ((name == "$and" || name == "$or") && value.as_document().count() == 1)
    return path_of_equality(value.as_document().first().value.as_document());
  if (name.starts_with('$')) return {};
  const bool is_equality =
      !is_operators(value) || (value.as_document().count() == 1 && value.as_document().first().name == "$eq");
  return is_equality ? name : std::string_view();
}

// Since 5.0 mongod makes an $in of an $or of equalities of one path. `filters` were parsed without an objection.
Junction junction_of(std::string_view name, wire::DocumentView filters, Wording wording) {
  if (name == "$and") return Junction::And;
  if (name == "$nor") return Junction::Nor;
  if (wording <= Wording::V4_4) return Junction::Or;
  const std::string_view path = path_of_equality(filters.first().value.as_document());
  for (const wire::Element& each : filters)
    if (path.empty() || path_of_equality(each.value.as_document()) != path) return Junction::Or;
  return Junction::In;
}

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
  const Wording wording = input.context.expressions.profile->wording;
  return make_junction(junction_of(name, value.as_document(), wording), std::move(nodes));
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
  if (whole_number(input.element, Whole::Any, input.context.expressions.profile->wording, 9) != 1)
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
