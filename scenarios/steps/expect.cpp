#include <fmt/format.h>

#include <algorithm>

#include "scenarios/condition.h"
#include "scenarios/regex.h"
#include "scenarios/report.h"
#include "scenarios/steps/step_words.h"

namespace scenarios {
namespace {

constexpr std::string_view own_words[] = {"count", "since", "output", "exit", "state", "documents"};
constexpr std::string_view state_words[] = {"cursors", "connections", "sessions", "app"};

// How often something happened against `count` (default: at least once).
void judge_count(const std::optional<Node>& count, std::size_t actual, const Names& names, const std::string& details) {
  if (!count) {
    if (actual == 0) throw StepFailed("expected: at least one\n  actual:   none" + details);
    return;
  }
  if (const auto differs = mismatch(*count, wire::Value::int64(static_cast<std::int64_t>(actual)), names))
    throw StepFailed(fmt::format("expected: {}\n  actual:   {}{}", differs->expected, actual, details));
}

class ExpectRequest : public Step {
 public:
  Filter filter;
  std::optional<Node> count;
  std::string since;

  Progress perform(Stage& stage) const override {
    if (!filter.request.empty()) {
      judge_one(stage);
      return Progress::Done;
    }
    const std::optional<std::size_t> lost = stage.lost_count(*this);
    if (!lost)
      throw StepFailed("the journal had lost its oldest entries before this step came, so it cannot count them");
    std::size_t found = *lost;
    for (const emulator::JournalEntry& entry : stage.journal().entries()) found += counts(entry, stage.names()) ? 1 : 0;
    judge_count(count, found, stage.names(), journal_tail(stage));
    return Progress::Done;
  }

  bool counts(const emulator::JournalEntry& entry, const Names& names) const override {
    if (entry.request() == nullptr || !filter.request.empty()) return false;
    if (!since.empty()) {
      const emulator::JournalEntry* after = names.request(since);
      if (after == nullptr || entry.number <= after->number) return false;
    }
    return holds(filter, Seen{entry}, names);
  }

 private:
  void judge_one(Stage& stage) const {
    const emulator::JournalEntry* entry = stage.names().request(filter.request);
    if (entry == nullptr) throw StepFailed(filter.request + " never came");
    if (const auto differs = mismatch(filter, Seen{*entry}, stage.names()))
      throw StepFailed(fmt::format("{} differs at {}\n  expected: {}\n  actual:   {}", filter.request, differs->path,
                                   differs->expected, differs->actual));
  }
};

class ExpectOutput : public Step {
 public:
  ExpectOutput(const std::string& pattern, std::optional<Node> count) : pattern_(pattern), count_(std::move(count)) {}
  Progress perform(Stage& stage) const override {
    const auto& lines = stage.consumer().lines;
    const auto found = std::ranges::count_if(lines, [&](const std::string& line) { return pattern_.found_in(line); });
    judge_count(count_, static_cast<std::size_t>(found), stage.names(), output_tail(stage));
    return Progress::Done;
  }

 private:
  Regex pattern_;
  std::optional<Node> count_;
};

class ExpectExit : public Step {
 public:
  explicit ExpectExit(Node wanted) : wanted_(std::move(wanted)) {}
  bool names_exit() const override { return true; }
  Progress perform(Stage& stage) const override {
    if (!exit_is(wanted_, stage.consumer()))
      throw StepFailed(
          fmt::format("expected: exit {}\n  actual:   {}", flow_text(wanted_), exit_text(stage.consumer())));
    return Progress::Done;
  }

 private:
  Node wanted_;
};

class ExpectDocuments : public Step {
 public:
  explicit ExpectDocuments(DocumentsCheck check) : check_(std::move(check)) {}
  Progress perform(Stage& stage) const override {
    if (const auto differs = documents_differ(stage, check_)) throw StepFailed(*differs);
    return Progress::Done;
  }

 private:
  DocumentsCheck check_;
};

class ExpectState : public Step {
 public:
  explicit ExpectState(Node state) : state_(std::move(state)) {}
  Progress perform(Stage& stage) const override {
    const Node* app = state_.find("app");
    const auto is_theirs = [&](const emulator::Connection* connection) {
      return app == nullptr || connection->application == *app->text();
    };
    const auto connections = std::ranges::count_if(stage.engine().connections(), is_theirs);
    judge(stage, "cursors", static_cast<std::int64_t>(stage.deployment().cursors.size()));
    judge(stage, "connections", connections);
    judge(stage, "sessions", static_cast<std::int64_t>(stage.deployment().sessions.size()));
    return Progress::Done;
  }

 private:
  void judge(Stage& stage, std::string_view word, std::int64_t actual) const {
    const Node* expected = state_.find(word);
    if (expected == nullptr) return;
    if (const auto differs = mismatch(*expected, wire::Value::int64(actual), stage.names()))
      throw StepFailed(fmt::format("{}\n  expected: {}\n  actual:   {}", word, differs->expected, differs->actual));
  }
  Node state_;
};

std::unique_ptr<Step> read_state(Reader& reader, const Node& node) {
  const Words state(reader, node, "state", state_words);
  if (!state.is_map()) return nullptr;
  for (const auto& [key, expected] : *node.map()) check_matcher(reader, expected);
  if (const Node* app = state.find("app")) reader.text(*app, "app");
  return std::make_unique<ExpectState>(node);
}

std::unique_ptr<Step> read_request(Reader& reader, const Node& value, std::optional<Node> count) {
  auto step = std::make_unique<ExpectRequest>();
  step->filter = read_filter(reader, value);
  step->count = std::move(count);
  if (const Node* since = value.find("since")) step->since = reader.use_name(*since, "since");
  if (!step->filter.request.empty() && step->count) reader.problem(value.at, "request and count do not go together");
  return step;
}

std::unique_ptr<Step> parse(Reader& reader, const Node& value) {
  std::vector<std::string_view> known(filter_words().begin(), filter_words().end());
  known.insert(known.end(), std::begin(own_words), std::end(own_words));
  const Words expect(reader, value, "expect", known);
  if (!expect.is_map()) return nullptr;
  std::optional<Node> count;
  if (const Node* node = expect.find("count")) {
    check_matcher(reader, *node);
    count = *node;
  }
  if (const Node* output = expect.find("output")) {
    if (!reader.has_command) reader.problem(output->at, "output needs a COMMAND after --");
    return std::make_unique<ExpectOutput>(reader.regex(*output, "output"), std::move(count));
  }
  if (const Node* exit = expect.find("exit")) {
    check_exit(reader, *exit);
    return std::make_unique<ExpectExit>(*exit);
  }
  if (const Node* documents = expect.find("documents"))
    return std::make_unique<ExpectDocuments>(read_documents_check(reader, *documents));
  if (const Node* state = expect.find("state")) return read_state(reader, *state);
  return read_request(reader, value, std::move(count));
}

}  // namespace

extern constinit const StepSpec expect_step{
    .name = "expect",
    .in_always = InAlways::Allowed,
    .parse = parse,
    .help = "Checks what came so far and never waits; in `always` it is judged at the end.",
    .example = "expect: {request: reopened, carries: first, reply: {code: 286}}",
};

}  // namespace scenarios
