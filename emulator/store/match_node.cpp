#include "emulator/store/match_node.h"

#include <fmt/format.h>

#include "emulator/collation.h"
#include "emulator/command_error.h"
#include "emulator/dotted_path.h"
#include "emulator/limits.h"
#include "emulator/number.h"
#include "emulator/regex.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

bool holds(std::weak_ordering order, Comparison comparison) {
  switch (comparison) {
    case Comparison::Equal:
      return order == 0;
    case Comparison::Less:
      return order < 0;
    case Comparison::LessOrEqual:
      return order <= 0;
    case Comparison::Greater:
      return order > 0;
    case Comparison::GreaterOrEqual:
      return order >= 0;
  }
  return false;
}

class ComparisonNode final : public PathNode {
 public:
  ComparisonNode(std::string_view path, Comparison comparison, wire::ValueView against)
      : PathNode(path, LeafArrays::Traversed), comparison_(comparison), against_(against) {}
  bool matches_value(wire::ValueView value) const override { return compares(value, comparison_, against_); }
  void add_equalities(std::vector<Matcher::Equality>& out) const override {
    if (comparison_ == Comparison::Equal) out.push_back({path(), against_.view()});
  }

 private:
  Comparison comparison_;
  wire::Value against_;
};

class CollatedComparisonNode final : public PathNode {
 public:
  CollatedComparisonNode(std::string_view path, Comparison comparison, wire::ValueView against, CollationPtr collation)
      : PathNode(path, LeafArrays::Traversed),
        comparison_(comparison),
        against_(against),
        key_(collation->key(against)),
        collation_(std::move(collation)) {}
  bool matches_value(wire::ValueView value) const override {
    return compares(collation_->key(value), comparison_, key_);
  }
  void add_equalities(std::vector<Matcher::Equality>& out) const override {
    if (comparison_ == Comparison::Equal) out.push_back({path(), against_.view()});
  }

 private:
  Comparison comparison_;
  wire::Value against_;
  wire::Value key_;
  CollationPtr collation_;
};

class RegexNode final : public PathNode {
 public:
  RegexNode(std::string_view path, std::string_view pattern, std::string_view options)
      : PathNode(path, LeafArrays::Traversed), regex_(pattern, options), pattern_(pattern), options_(options) {}
  bool matches_value(wire::ValueView value) const override {
    if (value.is(wire::Type::String) || value.is(wire::Type::Symbol)) return regex_.matches(value.as_string());
    return value.is(wire::Type::Regex) && value.as_regex().pattern == pattern_ && value.as_regex().options == options_;
  }

 private:
  Regex regex_;
  std::string pattern_;
  std::string options_;
};

class JunctionNode final : public MatchNode {
 public:
  JunctionNode(Junction junction, std::vector<MatchNodePtr> nodes) : junction_(junction), nodes_(std::move(nodes)) {}
  bool matches(wire::DocumentView document, std::optional<std::size_t>* position) const override {
    std::optional<std::size_t>* told = tells_position() ? position : nullptr;
    return decide([&](const MatchNode& node) { return node.matches(document, told); });
  }
  bool matches_value(wire::ValueView value) const override {
    return decide([&](const MatchNode& node) { return node.matches_value(value); });
  }
  void add_equalities(std::vector<Matcher::Equality>& out) const override {
    if (junction_ != Junction::And) return;
    for (const MatchNodePtr& node : nodes_) node->add_equalities(out);
  }

 private:
  template <class Matches>
  bool decide(const Matches& matches) const {
    for (const MatchNodePtr& node : nodes_) {
      const bool matched = matches(*node);
      if (junction_ == Junction::And && !matched) return false;
      if (junction_ != Junction::And && matched) return junction_ != Junction::Nor;
    }
    return junction_ == Junction::And || junction_ == Junction::Nor;
  }
  bool tells_position() const { return junction_ == Junction::And || junction_ == Junction::In; }
  Junction junction_;
  std::vector<MatchNodePtr> nodes_;
};

class NotNode final : public MatchNode {
 public:
  explicit NotNode(MatchNodePtr node) : node_(std::move(node)) {}
  bool matches(wire::DocumentView document, std::optional<std::size_t>*) const override {
    return !node_->matches(document, nullptr);
  }
  bool matches_value(wire::ValueView value) const override { return !node_->matches_value(value); }

 private:
  MatchNodePtr node_;
};

}  // namespace

PathNode::PathNode(std::string_view path, LeafArrays leaf_arrays) : path_(path), leaf_arrays_(leaf_arrays) {
  const std::vector<std::string_view> steps = dotted_steps(path);
  steps_.assign(steps.begin(), steps.end());
  if (steps_.size() > document_depth_max) throw CommandError(5729100, "FieldPath is too long");
}

bool PathNode::matches(wire::DocumentView document, std::optional<std::size_t>* position) const {
  return walk(document, steps_, std::nullopt, position);
}

bool PathNode::test(const FoundValue& found, std::optional<std::size_t>* position) const {
  if (!matches_value(found.value)) return false;
  if (position) {
    // The outermost array counts; a test that looks into the array itself knows better.
    std::optional<std::size_t> at = found.position;
    if (!at && found.value.is(wire::Type::Array)) at = position_in(found.value);
    if (at) *position = at;
  }
  return true;
}

bool PathNode::walk(wire::DocumentView document, Steps steps, std::optional<std::size_t> entered,
                    std::optional<std::size_t>* position) const {
  std::size_t i = 0;
  wire::ValueView value = document.find(steps[0]);
  while (i + 1 < steps.size() && value.is(wire::Type::Document)) value = value.as_document().find(steps[++i]);
  const Steps rest = steps.subspan(i + 1);
  if (value.is(wire::Type::Array)) return walk_array(value, rest, entered, position);
  return test({rest.empty() ? value : wire::ValueView(), entered}, position);
}

bool PathNode::walk_array(wire::ValueView array, Steps rest, std::optional<std::size_t> entered,
                          std::optional<std::size_t>* position) const {
  std::size_t index = 0;
  // Nothing but an empty step is left of "a.": for mongod the path ends at the array.
  const bool ends_here = rest.empty() || (rest.size() == 1 && rest[0].empty());
  if (ends_here) {
    if (leaf_arrays_ == LeafArrays::Traversed)
      for (const wire::Element& element : array.as_document()) {
        if (test({element.value, entered ? entered : index}, position)) return true;
        ++index;
      }
    return test({array, entered}, position);
  }
  for (const wire::Element& element : array.as_document()) {
    if (walk_element(element, rest, {entered, entered ? entered : index}, position)) return true;
    ++index;
  }
  return false;
}

// mongod's BSONElementIterator: a document in an array is entered by the rest of the path, and a step that is the element's own index
// enters the element itself. Only the index enters an array inside an array.
bool PathNode::walk_element(const wire::Element& element, Steps rest, const Entered& entered,
                            std::optional<std::size_t>* position) const {
  const bool is_document = element.value.is(wire::Type::Document);
  if (is_document && walk(element.value.as_document(), rest, entered.element, position)) return true;
  if (element.name != rest[0]) return false;
  // A step that is an index names the element; `$` does not stand for it.
  if (rest.size() == 1) return test({element.value, entered.before}, position);
  if (is_document) return walk(element.value.as_document(), rest.subspan(1), entered.before, position);
  return element.value.is(wire::Type::Array) && walk_array(element.value, rest.subspan(1), entered.before, position);
}

bool compares(wire::ValueView value, Comparison comparison, wire::ValueView against) {
  using wire::Type;
  const bool bounds = against.is(Type::MinKey) || against.is(Type::MaxKey);
  if (!bounds && wire::canonical_type(value.type()) != wire::canonical_type(against.type())) {
    // Null and what is missing or undefined are one value here.
    const bool nullish = value.is_nullish() && against.is_nullish();
    return nullish && comparison != Comparison::Less && comparison != Comparison::Greater;
  }
  if (!bounds && (is_nan_number(value) || is_nan_number(against)))
    return is_nan_number(value) && is_nan_number(against) && comparison != Comparison::Less &&
           comparison != Comparison::Greater;
  return holds(wire::compare_values(value, against), comparison);
}

MatchNodePtr make_comparison(std::string_view path, Comparison comparison, wire::ValueView against,
                             const MatchContext& context) {
  if (context.expressions.collation)
    return std::make_unique<CollatedComparisonNode>(path, comparison, against, context.expressions.collation);
  return std::make_unique<ComparisonNode>(path, comparison, against);
}
MatchNodePtr make_regex(std::string_view path, std::string_view pattern, std::string_view options) {
  return std::make_unique<RegexNode>(path, pattern, options);
}
MatchNodePtr make_junction(Junction junction, std::vector<MatchNodePtr> nodes) {
  if (nodes.size() == 1 && junction != Junction::Nor) return std::move(nodes.front());
  return std::make_unique<JunctionNode>(junction, std::move(nodes));
}
MatchNodePtr make_not(MatchNodePtr node) { return std::make_unique<NotNode>(std::move(node)); }

namespace {

// What says that it is none: of this value.
std::string_view objection_to(wire::ValueView value) {
  if (!value.is_number()) return "Expected a number in";
  if (is_nan_number(value)) return "Expected an integer, but found NaN in";
  if (value.is(wire::Type::Double) && fits_int64(value.as_double())) return "Expected an integer";
  return "Cannot represent as a 64-bit integer";
}

}  // namespace

std::int64_t whole_number(const wire::Element& element, Whole whole, Wording wording, int code,
                          std::string_view prefix) {
  const std::optional<std::int64_t> number = exact_int64(element.value);
  if (!number)
    throw CommandError(code, fmt::format("{}{}: {}", prefix, objection_to(element.value), bson_text(element)));
  if (whole == Whole::NonNegativeInt && !exact_int32(element.value))
    throw CommandError(code, fmt::format("{}Cannot represent {} in an int", prefix, bson_text(element)));
  if (*number < 0 && whole != Whole::Any)
    throw CommandError(code, fmt::format("{}Expected a {} number in: {}", prefix,
                                         wording <= Wording::V5_0 ? "positive" : "non-negative", bson_text(element)));
  return *number;
}

}  // namespace emulator
