#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Noop : public Step {
 public:
  Progress perform(Stage& stage) const override {
    stage.deployment().append_noop("periodic noop", stage.now());
    return Progress::Done;
  }
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  if (value.map() == nullptr || !value.map()->empty()) reader.problem(value.at, "noop takes {}");
  return std::make_unique<Noop>();
}

}  // namespace

extern constinit const StepSpec noop_step{
    .name = "noop",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "One periodic no-op in the oplog: post-batch tokens move on.",
    .example = "noop: {}",
};

}  // namespace scenarios
