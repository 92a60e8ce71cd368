// $all, $elemMatch, $size.
#include "emulator/number.h"
#include "emulator/predicates/table.h"

namespace emulator {
namespace {

class SizeNode final : public PathNode {
 public:
  SizeNode(std::string_view path, std::int64_t size) : PathNode(path, LeafArrays::Whole), size_(size) {}
  bool matches_value(wire::ValueView value) const override {
    return value.is(wire::Type::Array) && static_cast<std::int64_t>(value.as_document().count()) == size_;
  }

 private:
  std::int64_t size_;
};

// {$gt: …}; an unknown operator is a value like others.
bool names_predicate(wire::ValueView value) {
  if (!is_operators(value)) return false;
  const std::string_view name = value.as_document().first().name;
  return name != "$not" && name != "$where" && find_predicate(name, PredicatePlace::Field) != nullptr;
}

// Until 5.0 it has words of its own.
std::int64_t old_size(wire::ValueView size) {
  const auto refuse = [](const char* why) { throw CommandError(2, why); };
  if (!size.is_number() || size.is(wire::Type::Decimal128)) refuse("$size needs a number");
  const std::optional<std::int32_t> count = exact_int32(size);
  if (!count)
    refuse(size.is(wire::Type::Int64) ? "$size must be representable as a 32-bit integer"
                                      : "$size must be a whole number");
  if (*count < 0) refuse("$size may not be negative");
  return *count;
}

MatchNodePtr parse_size(const PredicateInput& input) {
  const Wording wording = input.context.expressions.profile->wording;
  const std::int64_t count = wording <= Wording::V5_0 ? old_size(input.element.value)
                                                      : whole_number(input.element, Whole::NonNegativeInt, wording, 2,
                                                                     "Failed to parse $size. ");
  return std::make_unique<SizeNode>(input.path, count);
}

// One element of the array must pass: as a document by a filter, or as a value by operators.
enum class ElementForm { Document, Value };

class ElemMatchNode final : public PathNode {
 public:
  ElemMatchNode(std::string_view path, ElementForm form, MatchNodePtr node)
      : PathNode(path, LeafArrays::Whole), form_(form), node_(std::move(node)) {}
  bool matches_value(wire::ValueView value) const override {
    return value.is(wire::Type::Array) && position_in(value).has_value();
  }

 protected:
  std::optional<std::size_t> position_in(wire::ValueView array) const override {
    std::size_t index = 0;
    for (const wire::Element& element : array.as_document()) {
      if (passes(element.value)) return index;
      ++index;
    }
    return std::nullopt;
  }

 private:
  bool passes(wire::ValueView value) const {
    if (form_ == ElementForm::Value) return node_->matches_value(value);
    return (value.is(wire::Type::Document) || value.is(wire::Type::Array)) &&
           node_->matches(value.as_document(), nullptr);
  }
  ElementForm form_;
  MatchNodePtr node_;
};

bool has_value_form(wire::ValueView value) {
  const std::string_view name = value.as_document().first().name;
  return is_operators(value) && name != "$and" && name != "$or" && name != "$nor" && name != "$where";
}

MatchNodePtr parse_elem_match(const PredicateInput& input) {
  const wire::ValueView value = input.element.value;
  if (!value.is(wire::Type::Document)) throw CommandError(2, "$elemMatch needs an Object");
  const wire::DocumentView tests = value.as_document();
  if (has_value_form(value))
    return std::make_unique<ElemMatchNode>(input.path, ElementForm::Value,
                                           parse_field_operators({}, tests, input.context));
  return std::make_unique<ElemMatchNode>(input.path, ElementForm::Document, parse_filter(tests, input.context));
}

bool is_elem_match(wire::ValueView value) {
  return value.is(wire::Type::Document) && value.as_document().first().name == "$elemMatch";
}

MatchNodePtr parse_all(const PredicateInput& input) {
  if (!input.element.value.is(wire::Type::Array)) throw CommandError(2, "$all needs an array");
  const wire::DocumentView values = input.element.value.as_document();
  if (values.empty()) return make_junction(Junction::Or, {});
  const bool elem_matches = is_elem_match(values.first().value);
  std::vector<MatchNodePtr> nodes;
  for (const wire::Element& each : values) {
    if (elem_matches) {
      if (!is_elem_match(each.value)) throw CommandError(2, "$all/$elemMatch has to be consistent");
      nodes.push_back(
          parse_elem_match({input.path, each.value.as_document().first(), each.value.as_document(), input.context}));
      continue;
    }
    if (names_predicate(each.value)) throw CommandError(2, "no $ expressions in $all");
    if (each.value.is(wire::Type::Regex))
      nodes.push_back(make_regex(input.path, each.value.as_regex().pattern, each.value.as_regex().options));
    else if (each.value.is(wire::Type::Undefined))
      throw CommandError(2, "cannot compare to undefined");
    else
      nodes.push_back(make_comparison(input.path, Comparison::Equal, each.value, input.context));
  }
  return make_junction(Junction::And, std::move(nodes));
}

constexpr PredicateOperator operators[] = {
    {"$all", PredicatePlace::Field, parse_all},
    {"$elemMatch", PredicatePlace::Field, parse_elem_match},
    {"$size", PredicatePlace::Field, parse_size},
};

}  // namespace

extern constinit const PredicateSpec array_predicate{operators};

}  // namespace emulator
