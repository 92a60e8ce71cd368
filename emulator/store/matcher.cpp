#include "emulator/store/matcher.h"

#include <fmt/format.h>

#include <string>

#include "emulator/dollar_names.h"
#include "emulator/predicates/table.h"
#include "emulator/store/match_node.h"

namespace emulator {

const PredicateOperator* find_predicate(std::string_view name, PredicatePlace place) {
  for (const PredicateSpec* spec : all_predicates())
    for (const PredicateOperator& each : spec->operators)
      if (each.place == place && each.name == name) return &each;
  return nullptr;
}

namespace {

MatchNodePtr parse_top_level_operator(const wire::Element& element, wire::DocumentView filter,
                                      const MatchContext& context) {
  const PredicateOperator* found = find_predicate(element.name, PredicatePlace::TopLevel);
  const Wording wording = context.expressions.profile->wording;
  if (!found && element.name == "$not" && wording > Wording::V5_0)
    throw CommandError(2,
                       "unknown top level operator: $not. If you are trying to negate an entire expression, use $nor.");
  if (!found && wording <= Wording::V4_4)
    throw CommandError(2, fmt::format("unknown top level operator: {}", element.name));
  if (!found)
    throw CommandError(
        2,
        fmt::format("unknown top level operator: {}. If you have a field name that starts with a '$' symbol, consider "
                    "using $getField or $setField.",
                    element.name));
  return found->parse({{}, element, filter, context});
}

MatchNodePtr parse_field(const wire::Element& element, const MatchContext& context) {
  const wire::ValueView value = element.value;
  if (value.is(wire::Type::Regex)) return make_regex(element.name, value.as_regex().pattern, value.as_regex().options);
  if (is_operators(value)) return parse_field_operators(element.name, value.as_document(), context);
  if (value.is(wire::Type::Undefined)) throw CommandError(2, "cannot compare to undefined");
  return make_comparison(element.name, Comparison::Equal, value, context);
}

MatchNodePtr parse_tests(wire::DocumentView filter, const MatchContext& context) {
  std::vector<MatchNodePtr> nodes;
  for (const wire::Element& element : filter) {
    const bool is_operator = element.name.starts_with('$') && !is_db_ref_name(element.name);
    MatchNodePtr node =
        is_operator ? parse_top_level_operator(element, filter, context) : parse_field(element, context);
    if (node) nodes.push_back(std::move(node));
  }
  return make_junction(Junction::And, std::move(nodes));
}

}  // namespace

bool is_operators(wire::ValueView value) {
  if (!value.is(wire::Type::Document)) return false;
  const std::string_view name = value.as_document().first().name;
  return name.starts_with('$') && !is_db_ref_name(name);
}

MatchNodePtr parse_filter(wire::DocumentView filter, const MatchContext& context) {
  // Several tests are an $and.
  if (filter.count() > 1) return optimized(context, [&] { return parse_tests(filter, context); });
  return parse_tests(filter, context);
}

MatchNodePtr parse_field_operators(std::string_view path, wire::DocumentView operators, const MatchContext& context) {
  std::vector<MatchNodePtr> nodes;
  for (const wire::Element& element : operators) {
    const PredicateOperator* found = find_predicate(element.name, PredicatePlace::Field);
    if (!found) throw CommandError(2, fmt::format("unknown operator: {}", element.name));
    if (MatchNodePtr node = found->parse({path, element, operators, context})) nodes.push_back(std::move(node));
  }
  return make_junction(Junction::And, std::move(nodes));
}

Matcher::Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher& Matcher::operator=(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Matcher Matcher::parse(wire::DocumentView filter, const MatchContext& context) {
  // A pipeline's filters are optimized with it, a validator's never.
  const bool is_query = context.place == MatchPlace::Find || context.place == MatchPlace::Update;
  if (!is_query || context.expressions.optimization != nullptr) return compile(filter, context);
  Optimization optimization;
  MatchContext optimized = context;
  optimized.expressions.optimization = &optimization;
  Matcher made = compile(filter, optimized);
  if (optimization.failure) throw OptimizationFailure(*optimization.failure);
  return made;
}

Matcher Matcher::compile(wire::DocumentView filter, const MatchContext& context) {
  Matcher made;
  made.filter_ = wire::Document(filter);
  made.collation_ = context.expressions.collation;
  if (filter.empty()) return made;
  made.root_ = parse_filter(made.filter_, context);
  made.root_->add_equalities(made.equalities_);
  return made;
}

Matcher Matcher::parse_value_tests(wire::DocumentView operators, const MatchContext& context) {
  Matcher made;
  made.filter_ = wire::Document(operators);
  made.root_ = parse_field_operators({}, made.filter_, context);
  return made;
}

bool Matcher::matches(wire::DocumentView document) const { return !root_ || root_->matches(document, nullptr); }
bool Matcher::matches_value(wire::ValueView value) const { return !root_ || root_->matches_value(value); }

std::optional<std::size_t> Matcher::matched_position(wire::DocumentView document) const {
  std::optional<std::size_t> position;
  if (!root_ || !root_->matches(document, &position)) return std::nullopt;
  return position;
}

std::optional<wire::ValueView> Matcher::id_equality() const {
  for (const Equality& equality : equalities_)
    if (equality.path == "_id" && !equality.value.is(wire::Type::Array) && is_exact(equality.value))
      return equality.value;
  return std::nullopt;
}

// Under a collation, text has equals that are other bytes.
bool Matcher::is_exact(wire::ValueView value) const {
  return !collation_ || (!value.is(wire::Type::String) && !value.is(wire::Type::Document));
}

bool Matcher::is_id_only() const {
  return !filter_.empty() && filter_.view().first().name == "_id" && filter_.view().count() == 1 &&
         equalities_.size() == 1 && !is_operators(filter_.view().first().value);
}

}  // namespace emulator
