#include "emulator/operators/pull_matching.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::ValueView;

std::unique_ptr<Modifier> parse(std::string_view, ValueView argument, const ParseContext&) {
  if (!argument.is(wire::Type::Array))
    throw CommandError(
        2, "$pullAll requires an array argument but was given a " + std::string(type_name(argument.type())));
  auto listed = [unwanted = elements_of(argument)](ValueView element) {
    return std::ranges::any_of(unwanted, [element](ValueView value) { return wire::equal_values(element, value); });
  };
  return std::make_unique<PullMatching<decltype(listed)>>(std::move(listed));
}

}  // namespace

extern constinit const UpdateOperatorSpec pull_all_operator{.name = "$pullAll",
                                                            .on_missing = OnMissing::NotViable28,
                                                            .parse = parse,
                                                            .help = "Removes all elements equal to one of a list."};

}  // namespace emulator
