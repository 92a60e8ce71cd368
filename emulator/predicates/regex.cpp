// $regex and $options.
#include <fmt/format.h>

#include "emulator/predicates/table.h"

namespace emulator {
namespace {

MatchNodePtr parse_regex(const PredicateInput& input) {
  const wire::ValueView value = input.element.value;
  std::string_view pattern;
  std::string_view options;
  if (value.is(wire::Type::String)) {
    pattern = value.as_string();
  } else if (value.is(wire::Type::Regex)) {
    pattern = value.as_regex().pattern;
    options = value.as_regex().options;
  } else {
    throw CommandError(2, "$regex has to be a string");
  }
  if (pattern.find('\0') != std::string_view::npos)
    throw CommandError(2, "Regular expression cannot contain an embedded null byte");
  if (const wire::ValueView sibling = input.siblings.find("$options")) {
    if (!sibling.is(wire::Type::String)) throw CommandError(2, "$options has to be a string");
    if (!options.empty()) throw CommandError(51075, "options set in both $regex and $options");
    options = sibling.as_string();
  }
  return make_regex(input.path, pattern, options);
}

MatchNodePtr parse_options(const PredicateInput& input) {
  if (!input.siblings.has("$regex")) throw CommandError(2, "$options needs a $regex");
  return nullptr;
}

constexpr PredicateOperator operators[] = {
    {"$regex", PredicatePlace::Field, parse_regex},
    {"$options", PredicatePlace::Field, parse_options},
};

}  // namespace

extern constinit const PredicateSpec regex_predicate{operators};

}  // namespace emulator
