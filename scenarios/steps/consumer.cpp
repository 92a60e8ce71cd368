#include <algorithm>

#include "scenarios/steps/table.h"

namespace scenarios {
namespace {

constexpr std::string_view actions[] = {"start", "stop", "kill", "restart"};
constexpr std::string_view restart_words[] = {"how", "env"};
constexpr std::chrono::seconds patience{5};

class ControlConsumer : public Step {
 public:
  bool stops = false;
  bool starts = false;
  StopSignal how = StopSignal::Kill;
  Node environment;

  bool can_wait() const override { return stops; }
  bool controls_consumer() const override { return true; }
  bool starts_consumer() const override { return starts && !stops; }

  Progress perform(Stage& stage) const override {
    StepMemory& memory = stage.script().memory;
    if (stops && stage.consumer().state == ConsumerState::Running) {
      if (memory.stage == 0) {
        stage.signal_consumer(how);
        memory.stage = 1;
        if (how == StopSignal::Terminate) memory.deadline = stage.now().real + patience;
      } else if (memory.stage == 1 && memory.deadline && stage.now().real >= *memory.deadline) {
        stage.signal_consumer(StopSignal::Kill);
        memory.stage = 2;
        memory.deadline.reset();
      }
      return Progress::Waits;
    }
    if (starts) start(stage);
    return Progress::Done;
  }

 private:
  void start(Stage& stage) const {
    if (stage.consumer().state == ConsumerState::Running) throw StepFailed("the consumer runs already");
    if (environment.map() != nullptr)
      for (const auto& [key, value] : *environment.map())
        stage.consumer().environment[key.name] =
            value.is_null() ? std::nullopt : std::optional(value.text() != nullptr ? *value.text() : flow_text(value));
    stage.start_consumer();
  }
};

void read_restart(Reader& reader, const Node& value, ControlConsumer& step) {
  const Words restart(reader, value, "restart", restart_words);
  if (const Node* how = restart.find("how")) {
    static constexpr std::string_view ways[] = {"stop", "kill"};
    const std::string way = reader.text(*how, "how");
    if (way == "stop")
      step.how = StopSignal::Terminate;
    else if (way != "kill")
      reader.unknown(how->at, "way", way, ways);
  }
  if (const Node* environment = restart.find("env")) {
    if (environment->map() == nullptr) reader.problem(environment->at, "env takes a map of variables");
    step.environment = *environment;
  }
}

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  if (!reader.has_command) reader.problem(value.at, "consumer needs a COMMAND after --");
  auto step = std::make_unique<ControlConsumer>();
  std::string action;
  if (value.map() != nullptr && value.map()->size() == 1) {
    action = value.map()->front().first.name;
    if (action == "restart") read_restart(reader, value.map()->front().second, *step);
  } else {
    action = reader.text(value, "consumer");
  }
  if (std::ranges::find(actions, action) == std::end(actions))
    reader.unknown(value.at, "consumer action", action, actions);
  step->starts = action == "start" || action == "restart";
  step->stops = action != "start";
  if (action == "stop") step->how = StopSignal::Terminate;
  return step;
}

}  // namespace

extern constinit const StepSpec consumer_step{
    .name = "consumer",
    .parse = parse,
    .help = "Starts, stops (TERM, after 5 s KILL), kills or restarts COMMAND; restart can change its environment.",
    .example = "consumer: {restart: {env: {FILTER: b}}}",
};

}  // namespace scenarios
