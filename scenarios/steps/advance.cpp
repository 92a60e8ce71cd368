#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Advance : public Step {
 public:
  explicit Advance(std::chrono::milliseconds by) : by_(by) {}
  Progress perform(Stage& stage) const override {
    stage.deployment().clock.advance(by_);
    return Progress::Done;
  }

 private:
  std::chrono::milliseconds by_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  return std::make_unique<Advance>(
      std::chrono::duration_cast<std::chrono::milliseconds>(reader.duration(value, "advance")));
}

}  // namespace

extern constinit const StepSpec advance_step{
    .name = "advance",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "Moves the deployment's time, and lets it pass for every waiting getMore, hello and delay.",
    .example = "advance: 30s",
};

}  // namespace scenarios
