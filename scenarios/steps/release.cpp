#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Release : public Step {
 public:
  explicit Release(std::string fault) : fault_(std::move(fault)) {}
  Progress perform(Stage& stage) const override {
    const emulator::FaultId id = fault_.empty() ? 0 : stage.names().fault(fault_);
    if (!fault_.empty() && id == 0) throw StepFailed(fault_ + " is no fault");
    stage.deployment().faults.release(stage.deployment(), id);
    return Progress::Done;
  }

 private:
  std::string fault_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  return std::make_unique<Release>(reader.use_name(value, "release"));
}

}  // namespace

extern constinit const StepSpec release_step{
    .name = "release",
    .parse = parse,
    .help = "Lets go what a hold holds now.",
    .example = "release: gate",
};

}  // namespace scenarios
