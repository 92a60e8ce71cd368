#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

// Its rounds are written out where steps are parsed (step_parser.cpp): no repeat is left to be performed.
std::unique_ptr<Step> parse(Reader&, const Node&) { return nullptr; }

}  // namespace

extern constinit const StepSpec repeat_step{
    .name = "repeat",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "The steps so many times; ${round} counts from 1, and a name set in it is NAME.3 for the third round.",
    .example = "repeat: {times: 3, steps: [{insert: {ns: app.items, documents: [{_id: \"${round}\"}], as: e}}]}",
};

}  // namespace scenarios
