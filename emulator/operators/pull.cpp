#include <functional>
#include <memory>

#include "emulator/operators/pull_matching.h"
#include "emulator/predicates/table.h"
#include "emulator/store/matcher.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::DocumentBuilder;
using wire::Type;
using wire::ValueView;

// {$gt: 5} tests the element itself; {a: 5} and {$or: […]} are filters of elements that are documents.
// So are $not and $where, until 4.4 $eq too, which a filter then refuses.
bool tests_element(ValueView condition, Wording wording) {
  if (condition.is(Type::Regex)) return true;
  const std::string_view name = condition.as_document().first().name;
  if (name == "$not" || name == "$where" || (name == "$eq" && wording <= Wording::V4_4)) return false;
  return find_predicate(name, PredicatePlace::Field) != nullptr;
}

// As mongod wraps it: a field without a name, so that elements that are arrays are looked into.
wire::Document wrapped(ValueView value) {
  DocumentBuilder out;
  return out.append("", value).finish();
}

std::function<bool(ValueView)> condition_of(ValueView argument, const ParseContext& context) {
  if (!argument.is(Type::Document) && !argument.is(Type::Regex))
    return [argument](ValueView element) { return wire::equal_values(element, argument); };
  // $pull refuses what array filters refuse: $expr, $where, $text.
  MatchContext match_context{MatchPlace::ArrayFilter, context};
  if (tests_element(argument, context.profile->wording)) {
    auto matcher = std::make_shared<Matcher>(Matcher::parse(wrapped(argument), match_context));
    return [matcher](ValueView element) { return matcher->matches(wrapped(element)); };
  }
  auto matcher = std::make_shared<Matcher>(Matcher::parse(argument.as_document(), match_context));
  return [matcher](ValueView element) { return element.is(Type::Document) && matcher->matches(element.as_document()); };
}

std::unique_ptr<Modifier> parse(std::string_view, ValueView argument, const ParseContext& context) {
  return std::make_unique<PullMatching<std::function<bool(ValueView)>>>(condition_of(argument, context));
}

}  // namespace

extern constinit const UpdateOperatorSpec pull_operator{
    .name = "$pull",
    .on_missing = OnMissing::NotViable28,
    .parse = parse,
    .help = "Removes all elements that are equal to a value or match a condition."};

}  // namespace emulator
