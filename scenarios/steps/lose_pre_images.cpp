#include "emulator/images.h"
#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"through", "ns"};

class LosePreImages : public Step {
 public:
  LosePreImages(std::string through, std::string ns) : through_(std::move(through)), ns_(std::move(ns)) {}
  Progress perform(Stage& stage) const override {
    wire::Timestamp until = stage.deployment().cluster_time();
    if (through_ != "now") {
      const auto time = stage.names().cluster_time(through_);
      if (!time) throw StepFailed(through_ + " is no event");
      until = *time;
    }
    const std::size_t dot = ns_.find('.');
    const emulator::Collection* collection =
        ns_.empty() ? nullptr : stage.deployment().store.find(ns_.substr(0, dot), ns_.substr(dot + 1));
    if (!ns_.empty() && collection == nullptr) throw StepFailed("there is no collection " + ns_);
    emulator::lose_pre_images(stage.deployment(), collection == nullptr ? nullptr : &collection->uuid(), until);
    return Progress::Done;
  }

 private:
  std::string through_, ns_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words lose(reader, value, "losePreImages", words);
  if (!lose.is_map()) return nullptr;
  std::string through = "now";
  const Node* node = lose.find("through");
  if (node != nullptr && !(node->text() != nullptr && *node->text() == "now"))
    through = reader.use_name(*node, "through");
  const Node* ns = lose.find("ns");
  return std::make_unique<LosePreImages>(std::move(through),
                                         ns != nullptr ? reader.ns(*ns, Reader::NsForm::Collection) : "");
}

}  // namespace

extern constinit const StepSpec lose_pre_images_step{
    .name = "losePreImages",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "Pre-images up to an event are gone: whenAvailable gets null, required error 47.",
    .example = "losePreImages: {through: second}",
};

}  // namespace scenarios
