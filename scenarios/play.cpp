#include "scenarios/play.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/report.h"
#include "wire/overloaded.h"

namespace scenarios {
namespace {

constexpr std::chrono::seconds patience{5};  // between TERM and KILL at the end

bool any_step(const Scenario& scenario, bool (Step::*is)() const) {
  const auto has = [&](const PlacedStep& placed) { return ((*placed.step).*is)(); };
  return std::ranges::any_of(scenario.steps, has) || std::ranges::any_of(scenario.always, has);
}

}  // namespace

Director::Play::Play(Scenario scenario, DirectorOptions options, emulator::Now now)
    : scenario_(std::move(scenario)),
      options_(std::move(options)),
      stage_(scenario_, emulator::Journal(options_.journal, options_.journal_bounds), now, this) {
  stage_.deployment().step_door = this;
  if (options_.command == Command::Given) stage_.consumer().state = ConsumerState::NotStarted;
  main_.steps = scenario_.steps;
  play_given();
}

void Director::Play::play_given() {
  ScriptRun given;
  given.steps = scenario_.given;
  early_failure_ = play(given);
  // Nobody is there to be woken or closed.
  std::vector<emulator::Effect> none;
  stage_.engine().step(emulator::Woken{}, stage_.now(), none);
}

void Director::Play::step(const Input& input, emulator::Now now, std::vector<Effect>& effects) {
  stage_.set_now(now);
  std::visit(wire::Overloaded{[&](const ProcessOutput& output) { stage_.take_output(output); },
                              [&](const ProcessExited& exited) { stage_.take_exit(exited); },
                              [&](const auto& emulated) { engine_step(emulated, effects); }},
             input);
  if (const auto* listening = std::get_if<emulator::Listening>(&input);
      listening != nullptr && phase_ == Phase::Opening)
    if (++listening_ == stage_.deployment().members.size()) begin();
  check_clocks();
  advance();
  // What steps did outside the engine's own step takes effect now: waiters wake, connections close.
  while (stage_.deployment().has_touches()) {
    engine_step(emulator::Woken{}, effects);
    advance();
  }
  finish_if_stopped();
  std::ranges::move(stage_.shell_effects(), std::back_inserter(effects));
  stage_.shell_effects().clear();
}

void Director::Play::engine_step(const emulator::Input& input, std::vector<Effect>& effects) {
  std::vector<emulator::Effect> made;
  stage_.engine().step(input, stage_.now(), made);
  for (emulator::Effect& effect : made) std::visit([&](auto& one) { effects.emplace_back(std::move(one)); }, effect);
}

void Director::Play::begin() {
  if (early_failure_ && options_.purpose == Purpose::Serve) {
    end(Verdict::Failed, *early_failure_);
    return;
  }
  phase_ = Phase::Running;
  Ready ready;
  ready.deployment = scenario_.name;
  ready.uri = stage_.uri();
  for (const emulator::Member& member : stage_.deployment().members)
    ready.members.push_back({member.name, member.address()});
  ready.profile = stage_.deployment().profile.name;
  ready.seed = scenario_.deployment.seed;
  stage_.shell_effects().emplace_back(std::move(ready));
  if (early_failure_) {
    fail(*early_failure_);
    return;
  }
  if (options_.purpose == Purpose::Trial) timeout_ = stage_.now().real + scenario_.timeout;
  ScriptRun watchers;
  std::ranges::copy_if(scenario_.always, std::back_inserter(watchers.steps),
                       [](const auto& one) { return one.step->watches(); });
  play(watchers);
  if (!options_.control_url.empty()) stage_.consumer().environment["OPLOGUE_CONTROL"] = options_.control_url;
  const auto first =
      std::ranges::find_if(scenario_.steps, [](const auto& one) { return one.step->controls_consumer(); });
  if (first == scenario_.steps.end() || !first->step->starts_consumer()) stage_.start_consumer();
}

void Director::Play::check_clocks() {
  if (phase_ == Phase::Running && timeout_ && stage_.now().real >= *timeout_) {
    const double seconds = std::chrono::duration<double>(scenario_.timeout).count();
    const std::string sentence = fmt::format("the scenario did not end within {:g}s, its timeout", seconds);
    stage_.set_script(&main_);
    fail(main_.done() ? sentence : failure_text(stage_, main_.steps[main_.next], sentence));
  }
  if (kill_at_ && stage_.now().real >= *kill_at_) {
    kill_at_.reset();
    stage_.signal_consumer(StopSignal::Kill);
  }
}

void Director::Play::advance() {
  if (performing_) {
    again_ = true;
    return;
  }
  performing_ = true;
  do {
    again_ = false;
    play_controls();
    if (phase_ != Phase::Running) continue;
    if (auto failure = play(main_))
      fail(std::move(*failure));
    else if (main_.done())
      end_script();
  } while (again_);
  performing_ = false;
}

std::optional<std::string> Director::Play::play(ScriptRun& run) {
  stage_.set_script(&run);
  while (!run.done()) {
    const PlacedStep& step = run.steps[run.next];
    if (!run.memory.begun) {
      run.memory.begun = true;
      run.memory.since = stage_.now().real;
      stage_.note(step.text);
    }
    try {
      if (step.step->perform(stage_) == Progress::Waits) return std::nullopt;
    } catch (const StepFailed& failure) {
      return failure_text(stage_, step, failure.what());
    } catch (const std::runtime_error& failure) {
      return failure_text(stage_, step, failure.what());
    }
    ++run.next;
    run.memory = {};
  }
  return std::nullopt;
}

// After the last step: nothing more is asked of a server; a trial is judged.
void Director::Play::end_script() {
  if (options_.purpose == Purpose::Serve) return;
  const Consumer& consumer = stage_.consumer();
  if (auto failure = judge_always()) {
    fail(std::move(*failure));
  } else if (consumer.state == ConsumerState::Exited && consumer.exit_code != 0 && !consumer.stopped_by_script &&
             !main_.passed_early && !any_step(scenario_, &Step::names_exit)) {
    fail(fmt::format("{}: COMMAND ended with {}, which no step speaks of{}{}", scenario_.file, exit_text(consumer),
                     output_tail(stage_), journal_tail(stage_)));
  } else {
    end(Verdict::Passed, {});
  }
}

std::optional<std::string> Director::Play::judge_always() {
  ScriptRun judged;
  std::ranges::copy_if(scenario_.always, std::back_inserter(judged.steps),
                       [](const auto& one) { return !one.step->watches(); });
  auto failure = play(judged);
  stage_.set_script(&main_);
  return failure;
}

void Director::Play::fail(std::string text) {
  if (options_.purpose == Purpose::Serve) {
    // A server goes on serving; its script is over.
    main_.next = main_.steps.size();
    stage_.note("failed: " + text);
    stage_.shell_effects().emplace_back(ScriptFailed{std::move(text)});
    return;
  }
  end(Verdict::Failed, std::move(text));
}

void Director::Play::end(Verdict verdict, std::string text) {
  if (phase_ == Phase::Ending || phase_ == Phase::Over) return;
  phase_ = Phase::Ending;
  finished_.verdict = verdict;
  finished_.failure = std::move(text);
  timeout_.reset();
  if (stage_.consumer().state != ConsumerState::Running) return;
  stage_.signal_consumer(StopSignal::Terminate);
  kill_at_ = stage_.now().real + patience;
}

void Director::Play::finish_if_stopped() {
  if (phase_ != Phase::Ending || stage_.consumer().state == ConsumerState::Running) return;
  phase_ = Phase::Over;
  kill_at_.reset();
  for (const std::string& line : stage_.consumer().lines) finished_.output += line + "\n";
  stage_.shell_effects().emplace_back(finished_);
}

void Director::Play::interrupt(const std::string& sentence, emulator::Now now, std::vector<Effect>& effects) {
  stage_.set_now(now);
  end(Verdict::Failed, sentence);
  finish_if_stopped();
  std::ranges::move(stage_.shell_effects(), std::back_inserter(effects));
  stage_.shell_effects().clear();
}

std::optional<emulator::RealTime> Director::Play::next_wake() const {
  std::optional<emulator::RealTime> due = stage_.engine().next_wake();
  const auto sooner = [&](const std::optional<emulator::RealTime>& other) {
    if (other && (!due || *other < *due)) due = other;
  };
  if (phase_ == Phase::Running) {
    sooner(main_.memory.deadline);
    sooner(timeout_);
  }
  for (const auto& [id, control] : controls_)
    if (!control->failure && !control->run.done()) sooner(control->run.memory.deadline);
  sooner(kill_at_);
  return due;
}

}  // namespace scenarios
