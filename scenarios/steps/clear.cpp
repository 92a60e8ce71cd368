#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Clear : public Step {
 public:
  explicit Clear(std::string fault) : fault_(std::move(fault)) {}
  Progress perform(Stage& stage) const override {
    const emulator::FaultId id = fault_.empty() ? 0 : stage.names().fault(fault_);
    if (!fault_.empty() && id == 0) throw StepFailed(fault_ + " is no fault");
    stage.deployment().faults.clear(stage.deployment(), id);
    return Progress::Done;
  }

 private:
  std::string fault_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  if (value.map() != nullptr && value.map()->empty()) return std::make_unique<Clear>("");
  return std::make_unique<Clear>(reader.use_name(value, "clear"));
}

}  // namespace

extern constinit const StepSpec clear_step{
    .name = "clear",
    .parse = parse,
    .help = "Ends a fault ({}: all); what it holds is let go.",
    .example = "clear: gate",
};

}  // namespace scenarios
