// $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/collation.h"
#include "emulator/predicates/table.h"
#include "emulator/regex.h"
#include "wire/compare.h"

namespace emulator {
namespace {

Comparison comparison_of(std::string_view name) {
  if (name == "$lt") return Comparison::Less;
  if (name == "$lte") return Comparison::LessOrEqual;
  if (name == "$gt") return Comparison::Greater;
  if (name == "$gte") return Comparison::GreaterOrEqual;
  return Comparison::Equal;
}

MatchNodePtr parse_comparison(const PredicateInput& input) {
  const wire::ValueView against = input.element.value;
  const Comparison comparison = comparison_of(input.element.name);
  if (against.is(wire::Type::Undefined)) throw CommandError(2, "cannot compare to undefined");
  if (against.is(wire::Type::Regex) && comparison != Comparison::Equal)
    throw CommandError(2, fmt::format("Can't have RegEx as arg to predicate over field '{}'.", input.path));
  return make_comparison(input.path, comparison, against, input.context);
}

MatchNodePtr parse_not_equal(const PredicateInput& input) {
  if (input.element.value.is(wire::Type::Regex)) throw CommandError(2, "Can't have regex as arg to $ne.");
  return make_not(parse_comparison(input));
}

class InNode final : public PathNode {
 public:
  InNode(std::string_view path, wire::DocumentView values, CollationPtr collation)
      : PathNode(path, LeafArrays::Traversed), collation_(std::move(collation)) {
    for (const auto& [name, value] : values) {
      if (is_operators(value)) throw CommandError(2, "cannot nest $ under $in");
      if (value.is(wire::Type::Undefined)) throw CommandError(2, "InMatchExpression equality cannot be undefined");
      if (value.is(wire::Type::Regex))
        regexes_.push_back(make_regex(path, value.as_regex().pattern, value.as_regex().options));
      if (value.is(wire::Type::Null)) matches_nullish_ = true;
      values_.emplace_back(value);
    }
    std::erase_if(values_, [](const wire::Value& value) { return value.type() == wire::Type::Regex; });
    if (collation_) {
      by_keys();
      return;
    }
    std::stable_sort(values_.begin(), values_.end(), wire::ValueLess{});
    values_.erase(std::unique(values_.begin(), values_.end(), wire::ValueEqual{}), values_.end());
  }

  bool matches_value(wire::ValueView value) const override {
    if (value.is_nullish()) return matches_nullish_;
    const wire::Value key = collation_ ? collation_->key(value) : wire::Value();
    const std::vector<wire::Value>& among = collation_ ? keys_ : values_;
    if (std::binary_search(among.begin(), among.end(), key ? key.view() : value, wire::ValueLess{})) return true;
    return std::any_of(regexes_.begin(), regexes_.end(),
                       [&](const MatchNodePtr& regex) { return regex->matches_value(value); });
  }
  void add_equalities(std::vector<Matcher::Equality>& out) const override {
    if (values_.size() == 1 && regexes_.empty()) out.push_back({path(), values_.front().view()});
  }

 private:
  void by_keys() {
    for (const wire::Value& value : values_) keys_.push_back(collation_->key(value));
    std::stable_sort(keys_.begin(), keys_.end(), wire::ValueLess{});
  }
  std::vector<wire::Value> values_;
  CollationPtr collation_;
  std::vector<wire::Value> keys_;  // what the values compare by under the collation
  std::vector<MatchNodePtr> regexes_;
  bool matches_nullish_ = false;
};

MatchNodePtr parse_in(const PredicateInput& input) {
  if (!input.element.value.is(wire::Type::Array))
    throw CommandError(2, fmt::format("{} needs an array", input.element.name));
  return std::make_unique<InNode>(input.path, input.element.value.as_document(), input.context.expressions.collation);
}
MatchNodePtr parse_not_in(const PredicateInput& input) { return make_not(parse_in(input)); }

constexpr PredicateOperator operators[] = {
    {"$eq", PredicatePlace::Field, parse_comparison}, {"$ne", PredicatePlace::Field, parse_not_equal},
    {"$gt", PredicatePlace::Field, parse_comparison}, {"$gte", PredicatePlace::Field, parse_comparison},
    {"$lt", PredicatePlace::Field, parse_comparison}, {"$lte", PredicatePlace::Field, parse_comparison},
    {"$in", PredicatePlace::Field, parse_in},         {"$nin", PredicatePlace::Field, parse_not_in},
};

}  // namespace

extern constinit const PredicateSpec comparison_predicate{operators};

}  // namespace emulator
