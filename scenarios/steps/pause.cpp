#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Pause : public Step {
 public:
  explicit Pause(std::chrono::nanoseconds duration) : duration_(duration) {}
  bool can_wait() const override { return true; }
  Progress perform(Stage& stage) const override {
    StepMemory& memory = stage.script().memory;
    memory.deadline = memory.since + duration_;
    return stage.now().real >= *memory.deadline ? Progress::Done : Progress::Waits;
  }

 private:
  std::chrono::nanoseconds duration_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  return std::make_unique<Pause>(reader.duration(value, "pause"));
}

}  // namespace

extern constinit const StepSpec pause_step{
    .name = "pause",
    .parse = parse,
    .help = "Waits so long, in real time.",
    .example = "pause: 200ms",
};

}  // namespace scenarios
