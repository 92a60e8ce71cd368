// Steps that come in-band, `{oplogue: step}`: small scripts beside the file's.
#include <algorithm>

#include "emulator/error_codes.h"
#include "scenarios/play.h"
#include "scenarios/step_parser.h"

namespace scenarios {
namespace {

std::map<std::string, NameKind> kinds_of(const Names& names) {
  std::map<std::string, NameKind> kinds;
  for (const auto& [name, rounds] : names.all()) kinds.emplace(name, static_cast<NameKind>(rounds.back().index()));
  return kinds;
}

std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) text += (text.empty() ? "" : "; ") + problem.sentence;
  return text;
}

emulator::Outcome go_on(emulator::Context& context, emulator::WaitState& state, emulator::WakeReason reason) {
  return context.deployment.step_door->resume(context, state, reason);
}

}  // namespace

emulator::Outcome Director::Play::perform(emulator::Context& context, wire::DocumentView command) {
  const Node request = read_document(command);
  const Node& steps = request.map()->front().second;
  std::vector<Problem> problems;
  Reader reader(problems);
  const auto known = kinds_of(stage_.names());
  reader.names_set(known);
  reader.has_command = stage_.consumer().state != ConsumerState::Absent;
  auto control = std::make_unique<Control>();
  if (steps.list() != nullptr)
    control->run.steps = parse_steps(reader, steps);
  else
    parse_step(reader, steps, control->run.steps);
  if (!problems.empty()) throw emulator::CommandError(emulator::code::failed_to_parse, joined(problems));
  for (const auto& [name, kind] : reader.names())
    if (!known.contains(name)) control->names.push_back(name);
  if (const Node* since = request.find("since"); since != nullptr && since->text() != nullptr)
    if (const emulator::JournalEntry* entry = stage_.names().request(*since->text()))
      control->run.thing_place = stage_.things().after(entry->number);
  control->exchange = context.exchange.id;
  Control& kept = *control;
  const std::uint64_t id = next_control_++;
  controls_.emplace(id, std::move(control));
  ScriptRun* const interrupted = &main_;
  kept.failure = play(kept.run);
  stage_.set_script(interrupted);
  if (kept.failure || kept.run.done()) {
    const auto done = std::move(controls_.extract(id).mapped());
    return finish_control(context, *done);
  }
  emulator::Wait wait;
  wait.deadline = emulator::RealTime::max();
  const wire::ValueView limit = command["maxTimeMS"];
  if (limit.is(wire::Type::Int32))
    wait.deadline = context.deployment.clock.waited(context.now) + std::chrono::milliseconds(limit.as_int32());
  wait.what = emulator::WaitForTime{};
  wait.resume = go_on;
  wait.state.number = static_cast<std::int64_t>(id);
  return wait;
}

emulator::Outcome Director::Play::resume(emulator::Context& context, emulator::WaitState& state, emulator::WakeReason) {
  auto found = controls_.extract(static_cast<std::uint64_t>(state.number));
  if (found.empty()) throw emulator::CommandError(emulator::code::interrupted, "the step is gone");
  Control& control = *found.mapped();
  if (!control.failure && !control.run.done())
    throw emulator::CommandError(emulator::code::max_time_ms_expired, "operation exceeded time limit");
  return finish_control(context, control);
}

// {result: {NAME: {token, clusterTime}}, as: the last of them}.
emulator::Outcome Director::Play::finish_control(emulator::Context& context, Control& control) {
  if (control.failure) throw emulator::CommandError(emulator::code::operation_failed, *control.failure);
  context.reply.begin_document("result");
  for (const std::string& name : control.names) {
    context.reply.begin_document(name);
    if (const auto token = stage_.names().token(name)) context.reply.append_document("token", *token);
    if (const auto time = stage_.names().cluster_time(name)) context.reply.append_timestamp("clusterTime", *time);
    context.reply.end();
  }
  context.reply.end();
  if (!control.names.empty()) context.reply.append_string("as", control.names.back());
  return emulator::Replied{};
}

void Director::Play::play_controls() {
  for (const auto& [id, control] : controls_) {
    if (control->failure || control->run.done()) continue;
    control->failure = play(control->run);
    if (control->failure || control->run.done())
      stage_.deployment().touch(emulator::TouchedExchange{control->exchange});
  }
  stage_.set_script(&main_);
}

}  // namespace scenarios
