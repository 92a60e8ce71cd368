#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"through", "keep", "member", "at"};

class LoseHistory : public Step {
 public:
  std::string through = "now";  // or a name
  std::optional<std::size_t> keep;
  std::string member;
  emulator::HistoryLostAt at = emulator::HistoryLostAt::Open;

  Progress perform(Stage& stage) const override {
    emulator::Deployment& deployment = stage.deployment();
    const emulator::OplogPosition first_kept = begin(stage);
    deployment.history_lost_at = at;
    if (member.empty()) {
      deployment.truncate_oplog(std::max(first_kept, deployment.oplog.first()));
      return Progress::Done;
    }
    for (emulator::Member& one : deployment.members)
      if (one.name == member) {
        one.first = std::max(one.first, first_kept);
        return Progress::Done;
      }
    throw StepFailed("there is no member " + member);
  }

 private:
  emulator::OplogPosition begin(Stage& stage) const {
    emulator::Deployment& deployment = stage.deployment();
    if (keep) {
      const std::size_t size = deployment.oplog.end() - deployment.oplog.first();
      return deployment.oplog.end() - std::min(size, *keep);
    }
    if (through != "now") {
      const auto event = stage.names().event(through);
      if (!event) throw StepFailed(through + " is no event");
      if (event->position + 1 < deployment.oplog.end()) return event->position + 1;
    }
    // An oplog is never empty: what it begins with now is a no-op.
    deployment.append_noop("periodic noop", stage.now());
    return deployment.oplog.end() - 1;
  }
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words lose(reader, value, "loseHistory", words);
  if (!lose.is_map()) return nullptr;
  auto step = std::make_unique<LoseHistory>();
  const Node* through = lose.find("through");
  const Node* keep = lose.find("keep");
  if (through != nullptr && keep != nullptr) reader.problem(keep->at, "loseHistory takes through or keep, not both");
  if (through != nullptr && !(through->text() != nullptr && *through->text() == "now"))
    step->through = reader.use_name(*through, "through");
  if (keep != nullptr) {
    step->keep = static_cast<std::size_t>(reader.count(*keep, "keep"));
    if (*step->keep == 0) reader.problem(keep->at, "keep must be 1 or more; loseHistory: {} loses all");
  }
  if (const Node* member = lose.find("member")) step->member = reader.text(*member, "member");
  if (const Node* at = lose.find("at")) {
    static constexpr std::string_view moments[] = {"open", "getMore"};
    const std::string moment = reader.text(*at, "at");
    if (moment == moments[1])
      step->at = emulator::HistoryLostAt::FirstRead;
    else if (moment != moments[0])
      reader.unknown(at->at, "moment", moment, moments);
  }
  return step;
}

}  // namespace

extern constinit const StepSpec lose_history_step{
    .name = "loseHistory",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help =
        "The oplog begins after an event (through), with its last N entries (keep), or now: resuming before that gets "
        "286.",
    .example = "loseHistory: {through: first}",
};

}  // namespace scenarios
