#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view words[] = {"db", "command", "as", "fails"};

class Command : public Step {
 public:
  Command(std::string db, Node command, WriteWords write)
      : db_(std::move(db)), command_(std::move(command)), write_(std::move(write)) {}
  Progress perform(Stage& stage) const override {
    const wire::Document command = to_document(command_, stage.names());
    check_reply(stage.run(db_, command, write_.as), write_.expected_error(), stage.names());
    return Progress::Done;
  }

 private:
  std::string db_;
  Node command_;
  WriteWords write_;
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  const Words step(reader, value, "command", words);
  if (!step.is_map()) return nullptr;
  std::string db = reader.text(step.need("db"), "db");
  const Node& command = step.need("command");
  check_document(reader, command, "command");
  if (command.map() != nullptr && command.map()->empty()) reader.problem(command.at, "command needs a command");
  return std::make_unique<Command>(std::move(db), command, read_write_words(reader, value));
}

}  // namespace

extern constinit const StepSpec command_step{
    .name = "command",
    .in_given = InGiven::Allowed,
    .parse = parse,
    .help = "Any command, run on the primary; an error fails the scenario unless fails: matches it.",
    .example = "command: {db: app, command: {drop: items}, as: gone}",
};

}  // namespace scenarios
