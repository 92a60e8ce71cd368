// A filter as the conjunction of tests that it is, for those who reason about filters without running them. Knows no operator's
// meaning.
#pragma once

#include <string_view>
#include <vector>

#include "wire/document.h"

namespace emulator {

// {path: {name: value}}; an operator of the top level has no path.
struct FilterTest {
  std::string_view path;
  std::string_view name;
  wire::ValueView value;
};

// The filter's tests, {a: 1} being {a: {$eq: 1}} and {a: /x/} {a: {$regex: /x/}}, in the order in which the server keeps them: that of
// its MatchType, then of their paths. They view the filter.
std::vector<FilterTest> tests_of(wire::DocumentView filter);

}  // namespace emulator
