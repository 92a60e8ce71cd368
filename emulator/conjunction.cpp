#include "emulator/conjunction.h"

#include <algorithm>
#include <tuple>

#include "emulator/store/match_node.h"

namespace emulator {
namespace {

std::size_t rank_of(std::string_view name) {
  static constexpr std::string_view ranks[] = {"$and", "$or",  "$elemMatch", "$size",  "$eq",  "$lte",
                                               "$lt",  "$gt",  "$gte",       "$regex", "$mod", "$exists",
                                               "$in",  "$not", "$nor",       "$type"};
  return static_cast<std::size_t>(std::ranges::find(ranks, name) - std::begin(ranks));
}

}  // namespace

std::vector<FilterTest> tests_of(wire::DocumentView filter) {
  std::vector<FilterTest> tests;
  for (const auto& [name, value] : filter) {
    if (name.starts_with('$'))
      tests.push_back({{}, name, value});
    else if (is_operators(value))
      for (const wire::Element& test : value.as_document()) tests.push_back({name, test.name, test.value});
    else
      tests.push_back({name, value.is(wire::Type::Regex) ? "$regex" : "$eq", value});
  }
  std::ranges::stable_sort(tests, [](const FilterTest& left, const FilterTest& right) {
    return std::tuple(rank_of(left.name), left.path) < std::tuple(rank_of(right.name), right.path);
  });
  return tests;
}

}  // namespace emulator
