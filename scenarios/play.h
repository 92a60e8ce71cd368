// The Director's inside: hears the engine, plays the scripts in turns, ends the trial. Internal to director.cpp.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/observer.h"
#include "emulator/step_door.h"
#include "scenarios/director.h"
#include "scenarios/stage.h"

namespace scenarios {

class Director::Play final : public emulator::Observer, public emulator::StepDoor {
 public:
  Play(Scenario scenario, DirectorOptions options, emulator::Now now);

  void step(const Input& input, emulator::Now now, std::vector<Effect>& effects);
  std::optional<emulator::RealTime> next_wake() const;
  void interrupt(const std::string& sentence, emulator::Now now, std::vector<Effect>& effects);
  bool finished() const { return phase_ == Phase::Over; }
  const Scenario& scenario() const { return scenario_; }
  Stage& stage() { return stage_; }

  // --- what the engine tells, in order; acting here belongs to the same turn
  void opened(const emulator::Connection& connection) override;
  void closed(const emulator::Connection& connection, emulator::CloseCause cause) override;
  void command(emulator::Exchange& exchange) override;
  void waiting(emulator::Exchange& exchange) override;
  void outcome(emulator::Exchange& exchange) override;
  void delivered(emulator::ConnectionId connection, std::uint64_t exchange) override;

  // --- steps that come in-band
  emulator::Outcome perform(emulator::Context& context, wire::DocumentView command) override;
  emulator::Outcome resume(emulator::Context& context, emulator::WaitState& state,
                           emulator::WakeReason reason) override;

 private:
  enum class Phase { Opening, Running, Ending, Over };
  // A step or list that came in-band, with the request that waits for its end.
  struct Control {
    ScriptRun run;
    std::uint64_t exchange = 0;
    std::optional<std::string> failure;
    std::vector<std::string> names;  // that it sets
  };

  void engine_step(const emulator::Input& input, std::vector<Effect>& effects);
  void begin();
  void check_clocks();
  void advance();
  // Performs steps until one waits or the script is done. What failed: the text; nullopt: nothing.
  std::optional<std::string> play(ScriptRun& run);
  void play_given();
  void play_controls();
  void end_script();
  std::optional<std::string> judge_always();
  void fail(std::string text);
  void end(Verdict verdict, std::string text);
  void finish_if_stopped();
  template <class Judge>
  void ask_limits(Judge&& judge);
  emulator::JournalEntry entry_for(const emulator::Connection& connection) const;
  void note_hello(const emulator::Exchange& exchange, std::uint64_t entry);
  emulator::Outcome finish_control(emulator::Context& context, Control& control);

  Scenario scenario_;
  DirectorOptions options_;
  Stage stage_;
  ScriptRun main_;
  std::map<std::uint64_t, std::unique_ptr<Control>> controls_;
  std::uint64_t next_control_ = 1;
  Phase phase_ = Phase::Opening;
  std::size_t listening_ = 0;
  bool performing_ = false;
  bool again_ = false;
  std::optional<emulator::RealTime> timeout_;
  std::optional<emulator::RealTime> kill_at_;
  std::optional<std::string> early_failure_;  // of `given`
  std::vector<emulator::ConnectionId> greeted_;
  Finished finished_;
};

}  // namespace scenarios
