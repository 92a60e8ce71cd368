#include "emulator/filter_subset.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "emulator/arguments.h"
#include "emulator/conjunction.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;

// The filter's tests, those of every $and among them.
void collect(wire::DocumentView filter, std::vector<FilterTest>& out) {
  for (const FilterTest& test : tests_of(filter)) {
    if (test.name != "$and" || !test.value.is(Type::Array)) {
      out.push_back(test);
      continue;
    }
    for (const wire::Element& part : test.value.as_document())
      if (part.value.is(Type::Document)) collect(part.value.as_document(), out);
  }
}

bool is_comparison(std::string_view name) {
  return name == "$eq" || name == "$lt" || name == "$lte" || name == "$gt" || name == "$gte";
}

// Whether a value that passes `asked` passes `wanted`, both being comparisons of the same path.
bool compares_within(const FilterTest& asked, const FilterTest& wanted) {
  if (wire::canonical_type(asked.value.type()) != wire::canonical_type(wanted.value.type())) return false;
  const auto order = wire::compare_values(asked.value, wanted.value);
  const bool below = asked.name == "$lt" || asked.name == "$lte";
  const bool above = asked.name == "$gt" || asked.name == "$gte";
  const bool equal = asked.name == "$eq";
  if (wanted.name == "$eq") return equal && order == 0;
  if (wanted.name == "$lt") return (below || equal) && (order < 0 || (order == 0 && asked.name == "$lt"));
  if (wanted.name == "$lte") return (below || equal) && order <= 0;
  if (wanted.name == "$gt") return (above || equal) && (order > 0 || (order == 0 && asked.name == "$gt"));
  return (above || equal) && order >= 0;
}

bool implies(const FilterTest& asked, const FilterTest& wanted) {
  if (asked.path != wanted.path) return false;
  if (wanted.name == "$exists")
    return is_truthy(wanted.value) && ((asked.name == "$exists" && is_truthy(asked.value)) ||
                                       (is_comparison(asked.name) && !asked.value.is(Type::Null)));
  if (is_comparison(wanted.name) && is_comparison(asked.name)) return compares_within(asked, wanted);
  return asked.name == wanted.name && wire::equal_values(asked.value, wanted.value);
}

}  // namespace

bool is_subset_of(wire::DocumentView query, wire::DocumentView filter) {
  std::vector<FilterTest> asked;
  std::vector<FilterTest> wanted;
  collect(query, asked);
  collect(filter, wanted);
  return std::ranges::all_of(wanted, [&](const FilterTest& each) {
    return std::ranges::any_of(asked, [&](const FilterTest& test) { return implies(test, each); });
  });
}

}  // namespace emulator
