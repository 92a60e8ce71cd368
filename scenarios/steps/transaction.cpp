#include <algorithm>

#include "scenarios/step_parser.h"
#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"steps", "as"};
constexpr std::string_view allowed[] = {"insert", "update", "delete", "command"};

class Transaction : public Step {
 public:
  Transaction(std::vector<PlacedStep> steps, std::string as) : steps_(std::move(steps)), as_(std::move(as)) {}
  Progress perform(Stage& stage) const override {
    const emulator::OplogPosition before = stage.deployment().oplog.end();
    stage.begin_transaction();
    for (const PlacedStep& step : steps_) step.step->perform(stage);
    stage.commit_transaction();
    stage.name_events(as_, before);
    return Progress::Done;
  }

 private:
  std::vector<PlacedStep> steps_;
  std::string as_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words transaction(reader, value, "transaction", words);
  if (!transaction.is_map()) return nullptr;
  std::vector<PlacedStep> steps;
  for (const Node& node : reader.list(transaction.need("steps"), "steps")) {
    if (node.map() != nullptr && node.map()->size() == 1) {
      const Key& key = node.map()->front().first;
      if (std::ranges::find(allowed, key.name) == std::end(allowed))
        reader.problem(key.at, "a transaction holds insert, update, delete and command only");
      if (const Node* as = node.map()->front().second.find("as"))
        reader.problem(as->at, "names stand at the transaction: NAME.1 is its first event");
    }
    parse_step(reader, node, steps);
  }
  return std::make_unique<Transaction>(std::move(steps), read_as(reader, value, NameKind::Event));
}

}  // namespace

extern constinit const StepSpec transaction_step{
    .name = "transaction",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "Its writes, committed together: one cluster time; NAME.1 is the first event.",
    .example = "transaction: {steps: [{insert: {ns: app.items, documents: [{_id: 1}]}}], as: t}",
};

}  // namespace scenarios
