#include <fmt/format.h>

#include <algorithm>

#include "scenarios/condition.h"
#include "scenarios/report.h"
#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view own_words[] = {"within", "as", "then", "any"};
constexpr std::chrono::seconds within_default{10};

struct Alternative {
  std::unique_ptr<Condition> condition;
  std::string as;
  bool then_pass = false;
  std::string text;
};

enum class Needs { All, One };

class Await : public Step {
 public:
  Await(std::vector<Alternative> awaited, Needs needs, std::chrono::nanoseconds within)
      : awaited_(std::move(awaited)), needs_(needs), within_(within) {}

  bool can_wait() const override { return true; }
  bool names_exit() const override {
    return std::ranges::any_of(awaited_, [](const Alternative& one) { return one.condition->is_exit(); });
  }

  Progress perform(Stage& stage) const override {
    ScriptRun& script = stage.script();
    StepMemory& memory = script.memory;
    memory.met.resize(awaited_.size());
    memory.deadline = memory.since + within_;
    bool all = true;
    for (std::size_t i = 0; i < awaited_.size(); ++i) {
      if (!memory.met[i]) memory.met[i] = try_one(stage, awaited_[i]);
      all = all && memory.met[i];
      if (memory.met[i] && needs_ == Needs::One) return done(script, awaited_[i]);
    }
    if (all) return done(script, awaited_.front());
    fail_if_hopeless(stage);
    return Progress::Waits;
  }

 private:
  static bool try_one(Stage& stage, const Alternative& one) {
    const auto met = one.condition->met(stage);
    if (!met) return false;
    StepMemory& memory = stage.script().memory;
    if (met->things_until) memory.thing_place = std::max(memory.thing_place, *met->things_until);
    if (met->lines_until) memory.line_place = std::max(memory.line_place, *met->lines_until);
    if (!one.as.empty()) stage.names().set(one.as, NamedRequest{met->entry});
    return true;
  }

  Progress done(ScriptRun& script, const Alternative& met) const {
    script.thing_place = std::max(script.thing_place, script.memory.thing_place);
    script.line_place = std::max(script.line_place, script.memory.line_place);
    if (needs_ == Needs::One && met.then_pass) script.passed_early = true;
    return Progress::Done;
  }

  void fail_if_hopeless(Stage& stage) const {
    const StepMemory& memory = stage.script().memory;
    const Consumer& consumer = stage.consumer();
    if (consumer.state == ConsumerState::Exited && !consumer.stopped_by_script && !names_exit())
      throw StepFailed(fmt::format("COMMAND ended ({}) while this waited{}", exit_text(consumer), what_came(stage)));
    if (stage.now().real >= *memory.deadline)
      throw StepFailed(fmt::format("it did not come within {:g}s{}", std::chrono::duration<double>(within_).count(),
                                   what_came(stage)));
  }

  // What came since the step before, with why the nearest was not it; and whether it had come too early.
  std::string what_came(Stage& stage) const {
    const StepMemory& memory = stage.script().memory;
    std::string text;
    for (std::size_t i = 0; i < awaited_.size(); ++i)
      if (!memory.met[i]) text += "\n  waited for: " + awaited_[i].text;
    const Condition* request = nullptr;
    for (std::size_t i = 0; i < awaited_.size() && request == nullptr; ++i)
      if (!memory.met[i] && awaited_[i].condition->is_request()) request = awaited_[i].condition.get();
    return text + came_instead(stage, request);
  }

  std::vector<Alternative> awaited_;
  Needs needs_;
  std::chrono::nanoseconds within_;
};

class AwaitReader {
 public:
  explicit AwaitReader(Reader& reader) : reader_(reader) {
    known_.assign(filter_words().begin(), filter_words().end());
    known_.insert(known_.end(), condition_words().begin(), condition_words().end());
    known_.insert(known_.end(), std::begin(own_words), std::end(own_words));
  }

  std::unique_ptr<Step> read(const Node& value) {
    if (const Node::List* list = value.list()) {
      for (const Node& item : *list) add(item);
      if (list->empty()) reader_.problem(value.at, "await must not be an empty list");
    } else if (const Node* any = value.find("any")) {
      needs_ = Needs::One;
      const Words words(reader_, value, "await", known_);
      read_within(value);
      for (const Node& item : reader_.list(*any, "any")) add(item);
      if (any->list() != nullptr && any->list()->empty()) reader_.problem(any->at, "any must not be an empty list");
    } else {
      add(value);
    }
    if (awaited_.empty()) return nullptr;
    return std::make_unique<Await>(std::move(awaited_), needs_, within_);
  }

 private:
  void read_within(const Node& value) {
    if (const Node* within = value.find("within")) within_ = std::max(longest_, reader_.duration(*within, "within"));
    longest_ = within_;
  }

  void add(const Node& node) {
    const Words words(reader_, node, "await", known_);
    if (!words.is_map()) return;
    Alternative one;
    one.condition = read_condition(reader_, node);
    one.text = flow_text(node);
    if (node.find("within") != nullptr) read_within(node);
    one.as = read_as(reader_, node, NameKind::Request);
    if (!one.as.empty() && one.condition != nullptr && !one.condition->is_request())
      reader_.problem(node.find("as")->at, "only an awaited request can have a name");
    if (const Node* then = words.find("then")) {
      if (then->text() == nullptr || *then->text() != "pass") reader_.problem(then->at, "then can only be pass");
      if (needs_ != Needs::One) reader_.problem(then->at, "then: pass stands in any");
      one.then_pass = true;
    }
    if (one.condition != nullptr) awaited_.push_back(std::move(one));
  }

  Reader& reader_;
  std::vector<std::string_view> known_;
  std::vector<Alternative> awaited_;
  Needs needs_ = Needs::All;
  std::chrono::nanoseconds within_ = within_default;
  std::chrono::nanoseconds longest_{};
};

std::unique_ptr<Step> parse(Reader& reader, const Node& value) { return AwaitReader(reader).read(value); }

}  // namespace

extern constinit const StepSpec await_step{
    .name = "await",
    .parse = parse,
    .help =
        "Waits (10s unless within says otherwise) for a request, a delivery, a mark, a line of output, …; a list: for "
        "all; any: for one.",
    .example = "await: {command: open, carries: first, as: reopened}",
};

}  // namespace scenarios
