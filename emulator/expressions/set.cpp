// $setUnion, $setIntersection, $setDifference, $setEquals, $setIsSubset, $allElementsTrue, $anyElementTrue.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

std::vector<ValueView> elements_of(ValueView array) {
  std::vector<ValueView> out;
  for (const wire::Element& element : array.as_document()) out.push_back(element.value);
  return out;
}

// Sorted, each value once: the order of mongod's results.
std::vector<ValueView> set_of(ValueView array) {
  std::vector<ValueView> out = elements_of(array);
  std::stable_sort(out.begin(), out.end(), wire::ValueLess{});
  out.erase(std::unique(out.begin(), out.end(), wire::ValueEqual{}), out.end());
  return out;
}

bool contains(const std::vector<ValueView>& set, ValueView value) {
  return std::binary_search(set.begin(), set.end(), value, wire::ValueLess{});
}

Value array_of(const std::vector<ValueView>& values) {
  ArrayBuilder out;
  for (const ValueView value : values) out.add(value);
  return out.finish();
}

Value set_union(const Call& call) {
  std::vector<ValueView> all;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    if (argument.type() != Type::Array)
      throw CommandError(17043, fmt::format("All operands of $setUnion must be arrays. One argument is of type: {}",
                                            type_of(argument)));
    for (const ValueView value : elements_of(argument)) all.push_back(value);
  }
  std::stable_sort(all.begin(), all.end(), wire::ValueLess{});
  all.erase(std::unique(all.begin(), all.end(), wire::ValueEqual{}), all.end());
  return array_of(all);
}

// What makes the result known before all arguments are looked at (until 4.2: that nothing is left).
enum class Until { LastArgument, NothingLeft };

template <Until until>
Value set_intersection(const Call& call) {
  std::vector<ValueView> common;
  bool first = true;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    if (argument.type() != Type::Array)
      throw CommandError(17047,
                         fmt::format("All operands of $setIntersection must be arrays. One argument is of type: {}",
                                     type_of(argument)));
    std::vector<ValueView> set = set_of(argument);
    // Of equal values that differ in type, the smaller set's are the result's.
    if (first || set.size() < common.size()) common.swap(set);
    if (!first) std::erase_if(common, [&](ValueView value) { return !contains(set, value); });
    if (until == Until::NothingLeft && common.empty()) break;
    first = false;
  }
  return array_of(common);
}

Value set_difference(const Call& call) {
  if (call[0].view().is_nullish() || call[1].view().is_nullish()) return Value::null();
  for (std::size_t i = 0; i < 2; ++i)
    if (call[i].type() != Type::Array)
      throw CommandError(17048 + static_cast<int>(i),
                         fmt::format("both operands of $setDifference must be arrays. {} argument is of type: {}",
                                     i == 0 ? "First" : "Second", type_of(call[i])));
  const std::vector<ValueView> without = set_of(call[1]);
  std::vector<ValueView> left;
  for (const ValueView value : elements_of(call[0]))
    if (!contains(without, value) &&
        std::none_of(left.begin(), left.end(), [&](ValueView other) { return wire::equal_values(other, value); }))
      left.push_back(value);
  return array_of(left);
}

Value set_equals(const Call& call) {
  std::optional<std::vector<ValueView>> first;
  bool equal = true;
  for (std::size_t i = 0; i < call.count(); ++i) {
    const Value& argument = call[i];
    if (argument.type() != Type::Array)
      throw CommandError(
          17044, fmt::format("All operands of $setEquals must be arrays. {} argument is of type: {}",
                             call.profile.wording <= Wording::V5_0 ? std::string("One") : fmt::format("{}-th", i + 1),
                             type_of(argument)));
    const std::vector<ValueView> set = set_of(argument);
    if (!first) first = set;
    equal = equal && std::equal(set.begin(), set.end(), first->begin(), first->end(), wire::ValueEqual{});
  }
  return Value::boolean(equal);
}

ExpressionPtr parse_set_equals(const ExpressionInput& input) {
  std::vector<ExpressionPtr> arguments = input.scope.parse_arguments(input.argument);
  if (arguments.size() < 2)
    throw CommandError(17045, fmt::format("$setEquals needs at least two arguments had: {}", arguments.size()));
  return make_call(input, std::move(arguments), set_equals, Arguments::InTurn);
}

Value set_is_subset(const Call& call) {
  for (std::size_t i = 0; i < 2; ++i)
    if (call[i].type() != Type::Array)
      throw CommandError(i == 0 ? 17046 : 17042,
                         fmt::format("both operands of $setIsSubset must be arrays. {} argument is of type: {}",
                                     i == 0 ? "First" : "Second", type_of(call[i])));
  const std::vector<ValueView> whole = set_of(call[1]);
  const std::vector<ValueView> part = elements_of(call[0]);
  return Value::boolean(std::all_of(part.begin(), part.end(), [&](ValueView value) { return contains(whole, value); }));
}

Value elements_true(const Call& call) {
  const bool all = call.name == "$allElementsTrue";
  if (call[0].type() != Type::Array)
    throw CommandError(all ? 17040 : 17041,
                       fmt::format("{}'s argument must be an array, but is {}", call.name, type_of(call[0])));
  for (const wire::Element& element : call[0].view().as_document())
    if (is_true(element.value) != all) return Value::boolean(!all);
  return Value::boolean(all);
}

constexpr int mongodb_4_4 = 9;

constexpr ExpressionOperator operators[] = {
    {.name = "$setUnion",
     .arguments_max = any_number,
     .evaluate = set_union,
     .arguments = Arguments::InTurn,
     .under_collation = UnderCollation::Refused,
     .folding = Folding::Constants},
    {"$setIntersection", 0, any_number, set_intersection<Until::LastArgument>, nullptr, Arguments::InTurn, mongodb_4_4,
     UnderCollation::Refused},
    {"$setIntersection", 0, any_number, set_intersection<Until::NothingLeft>, nullptr, Arguments::InTurn, 0,
     UnderCollation::Refused},
    {"$setDifference", 2, 2, set_difference, nullptr, Arguments::AllFirst, 0, UnderCollation::Refused},
    {.name = "$setEquals", .parse = parse_set_equals, .under_collation = UnderCollation::Refused},
    {"$setIsSubset", 2, 2, set_is_subset},
    {"$allElementsTrue", 1, 1, elements_true},
    {"$anyElementTrue", 1, 1, elements_true},
};

}  // namespace

extern constinit const ExpressionSpec set_expression{operators};

}  // namespace emulator
