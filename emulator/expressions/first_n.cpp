// $firstN, $lastN, $minN, $maxN of an array.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/count_argument.h"
#include "emulator/expressions/table.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

void keep_ordered(std::vector<ValueView>& elements, std::string_view name) {
  std::erase_if(elements, [](ValueView value) { return value.is_nullish(); });
  std::stable_sort(elements.begin(), elements.end(), [&](ValueView left, ValueView right) {
    const auto order = wire::compare_values(left, right);
    return name == "$minN" ? order < 0 : order > 0;
  });
}

Value some_of(const Call& call) {
  const std::size_t count = checked_count(call[0]);
  if (call[1].type() != Type::Array) throw CommandError(5788200, "Input must be an array");
  std::vector<ValueView> elements;
  for (const wire::Element& element : call[1].view().as_document()) elements.push_back(element.value);
  if (call.name == "$minN" || call.name == "$maxN") keep_ordered(elements, call.name);
  const std::size_t taken = std::min(count, elements.size());
  const std::size_t from = call.name == "$lastN" ? elements.size() - taken : 0;
  ArrayBuilder out;
  for (std::size_t i = from; i < from + taken; ++i) out.add(elements[i]);
  return out.finish();
}

ExpressionPtr parse(const ExpressionInput& input) {
  const std::string not_object =
      fmt::format("specification must be an object; found {}", bson_text(wire::Element{input.name, input.argument}));
  const bool by_order = input.name == "$minN" || input.name == "$maxN";
  static constexpr NamedArgument names[] = {{"n", 5787906, "Missing value for 'n'"},
                                            {"input", 5787907, "Missing value for 'input'"}};
  std::vector<ExpressionPtr> arguments = parse_members(
      input, names, {by_order ? 5787900 : 5787801, not_object, 5787901, "Unknown argument for 'n' operator: "});
  return make_call(input, std::move(arguments), some_of, Arguments::InTurn);
}

constexpr ExpressionOperator operators[] = {
    {.name = "$firstN", .parse = parse, .wire_version_min = 17, .folding = Folding::Never},
    {.name = "$lastN", .parse = parse, .wire_version_min = 17, .folding = Folding::Never},
    {.name = "$minN",
     .parse = parse,
     .wire_version_min = 17,
     .under_collation = UnderCollation::Refused,
     .folding = Folding::Never},
    {.name = "$maxN",
     .parse = parse,
     .wire_version_min = 17,
     .under_collation = UnderCollation::Refused,
     .folding = Folding::Never},
};

}  // namespace

extern constinit const ExpressionSpec first_n_expression{operators};

}  // namespace emulator
