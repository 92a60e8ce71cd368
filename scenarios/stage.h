// What steps act on: the deployment through its Engine, names, journal, the consumer and its output, marks, limits. Knows no step.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "emulator/journal.h"
#include "scenarios/effect.h"
#include "scenarios/filter.h"
#include "scenarios/input.h"
#include "scenarios/names.h"
#include "scenarios/script_run.h"

namespace scenarios {

// What a wait for a next thing looks at, in order of happening.
struct Thing {
  enum class Kind { RequestOver, Connected } kind = Kind::RequestOver;
  std::uint64_t entry = 0;  // the journal's number; of a connection: its first hello's
};

// In order of happening; places are absolute and stay valid when the oldest are forgotten with their journal entries.
class Things {
 public:
  std::size_t first() const { return forgotten_; }
  std::size_t end() const { return forgotten_ + things_.size(); }
  // place: in [first(), end()).
  const Thing& operator[](std::size_t place) const { return things_[place - forgotten_]; }
  // The place after all that happened up to this journal entry.
  std::size_t after(std::uint64_t entry) const {
    const auto is_after = [&](const Thing& thing) { return thing.entry > entry; };
    return first() + static_cast<std::size_t>(std::ranges::find_if(things_, is_after) - things_.begin());
  }
  void add(Thing thing) { things_.push_back(thing); }
  // The journal loses this entry and has lost all before it.
  void forget(std::uint64_t entry) {
    for (; !things_.empty() && things_.front().entry <= entry; ++forgotten_) things_.pop_front();
  }

 private:
  std::deque<Thing> things_;
  std::size_t forgotten_ = 0;
};

// Counts what arrives from when it was set; broken the moment it counts too many.
class Limit {
 public:
  Limit() = default;
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;
  virtual ~Limit() = default;
  // nullopt: the event is none of its, or is still within it.
  virtual std::optional<std::string> arrived(const Seen& seen, const Names& names, emulator::RealTime at) = 0;
  virtual std::optional<std::string> over(const Seen& seen, const Names& names, emulator::RealTime at) = 0;
  virtual std::optional<std::string> connected(const Seen& hello, const Names& names, emulator::RealTime at) = 0;
};

struct PlacedLimit {
  std::unique_ptr<Limit> limit;
  Position at;
  std::string text;
};

enum class ConsumerState { Absent, NotStarted, Running, Exited };

// The consumer's process as the script knows it.
struct Consumer {
  ConsumerState state = ConsumerState::Absent;
  std::map<std::string, std::optional<std::string>> environment;
  bool stopped_by_script = false;  // its end is the script's doing
  std::optional<int> exit_code;
  std::optional<int> exit_signal;
  std::vector<std::string> lines;  // whole lines of both streams
  std::string partial_out;
  std::string partial_err;
};

// Throws StepFailed unless the reply is a success, or (where `fails` is given) an error that matches it.
void check_reply(wire::DocumentView reply, const Node* fails, const Names& names);

class Stage {
 public:
  Stage(const Scenario& scenario, emulator::Journal journal, emulator::Now now, emulator::Observer* observer);
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  emulator::Engine& engine() { return engine_; }
  const emulator::Engine& engine() const { return engine_; }
  emulator::Deployment& deployment() { return engine_.deployment(); }
  Names& names() { return names_; }
  emulator::Journal& journal() { return journal_; }
  const Scenario& scenario() const { return scenario_; }
  emulator::Now now() const { return now_; }
  void set_now(emulator::Now now) { now_ = now; }
  ScriptRun& script() { return *script_; }
  void set_script(ScriptRun* script) { script_ = script; }
  const PlacedStep& placed_step() const { return script_->steps[script_->next]; }

  // Runs a command on the primary and, where `as` is not empty, names the events it made. Returns the reply.
  wire::Document run(std::string_view db, wire::DocumentView command, const std::string& as);
  // Writes until commit_transaction() belong to one transaction.
  void begin_transaction();
  void commit_transaction();
  // Names what was appended since `before`.
  void name_events(const std::string& as, emulator::OplogPosition before);

  // --- what came
  const Things& things() const { return things_; }
  void came(Thing thing) { things_.add(thing); }
  // nullptr when the journal lost it.
  const emulator::JournalEntry* entry_of(const Thing& thing) const { return journal_.find(thing.entry); }
  // How many of the requests that fell out of the journal the step counts; nullopt: unknown, as it came after they did.
  std::optional<std::size_t> lost_count(const Step& step) const;
  bool somebody_connected() const { return somebody_connected_; }
  void note_connection() { somebody_connected_ = true; }

  // --- the journal's lines of the script itself
  void note(const std::string& text);
  std::int64_t wall_ms() const { return engine_.deployment().clock.wall_ms(now_); }

  // --- marks
  void set_mark(const std::string& name) { marks_.insert(name); }
  bool has_mark(const std::string& name) const { return marks_.contains(name); }

  // --- limits
  std::vector<PlacedLimit>& limits() { return limits_; }

  // --- the consumer
  Consumer& consumer() { return consumer_; }
  void start_consumer();
  void signal_consumer(StopSignal signal);
  void take_output(const ProcessOutput& output);
  void take_exit(const ProcessExited& exited);
  // What the shell shall do, in order; emptied by the Director.
  std::vector<Effect>& shell_effects() { return shell_effects_; }
  std::string uri() const;

 private:
  void lost(const emulator::JournalEntry& entry);

  const Scenario& scenario_;
  emulator::Now now_;
  emulator::Engine engine_;
  emulator::Journal journal_;
  Names names_;
  ScriptRun* script_ = nullptr;
  Things things_;
  std::map<const Step*, std::size_t> lost_counts_;  // of the scenario's own steps
  std::set<std::string> marks_;
  std::int64_t transactions_ = 0;
  bool in_transaction_ = false;
  bool first_of_transaction_ = false;
  std::vector<PlacedLimit> limits_;
  Consumer consumer_;
  std::vector<Effect> shell_effects_;
  bool somebody_connected_ = false;
};

}  // namespace scenarios
