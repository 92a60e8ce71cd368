#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

class Mark : public Step {
 public:
  explicit Mark(std::string name) : name_(std::move(name)) {}
  Progress perform(Stage& stage) const override {
    stage.set_mark(name_);
    return Progress::Done;
  }

 private:
  std::string name_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  return std::make_unique<Mark>(reader.text(value, "mark"));
}

}  // namespace

extern constinit const StepSpec mark_step{
    .name = "mark",
    .parse = parse,
    .help = "Sets a mark that await: {mark: …} waits for; clients set them in-band.",
    .example = "mark: stored",
};

}  // namespace scenarios
