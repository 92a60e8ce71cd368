#include "scenarios/stage.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "scenarios/uri.h"
#include "scenarios/values.h"
#include "wire/extended_json.h"

namespace scenarios {
namespace {

// What a consumer wrote without a line's end is cut here.
constexpr std::size_t line_bytes_max = 64 * 1024;
// Older lines are forgotten by the report, not by awaits.
constexpr std::size_t lines_max = 1'000'000;

// An environment's value: a scalar as it is, a document as Extended JSON; nullopt: unset.
std::optional<std::string> environment_text(const Node& node, const Names& names) {
  if (node.is_null()) return std::nullopt;
  if (const std::string* text = node.text()) return *text;
  if (node.map() == nullptr && node.list() == nullptr) return flow_text(node);
  return wire::to_json(to_value(node, names));
}

// The session of a script's own transactions.
void append_transaction(wire::DocumentBuilder& command, std::int64_t number) {
  static constexpr std::array<std::uint8_t, 16> session_id{'s', 'c', 'r', 'i', 'p', 't'};
  command.begin_document("lsid").append_binary("id", 4, session_id).end();
  command.append_int64("txnNumber", number).append_bool("autocommit", false);
}

}  // namespace

void check_reply(wire::DocumentView reply, const Node* fails, const Names& names) {
  wire::Document error(reply);
  if (const wire::ValueView errors = reply["writeErrors"]; errors.is(wire::Type::Array))
    error = wire::Document(errors.as_document().first().value.as_document());
  const bool failed = error.has("code") || (reply["ok"].is(wire::Type::Double) && reply["ok"].as_double() != 1.0);
  const std::string shown = wire::to_json(wire::DocumentView(error), wire::JsonForm::Relaxed);
  if (fails == nullptr) {
    if (failed) throw StepFailed("it got an error: " + shown);
    return;
  }
  if (!failed) throw StepFailed("it should fail with " + flow_text(*fails) + ", and did not");
  if (const auto differs = mismatch(*fails, wire::Value::document(error), names))
    throw StepFailed(
        fmt::format("it failed otherwise\n  expected: {} {}\n  actual:   {}", differs->path, differs->expected, shown));
}

Stage::Stage(const Scenario& scenario, emulator::Journal journal, emulator::Now now, emulator::Observer* observer)
    : scenario_(scenario),
      now_(now),
      engine_(scenario.deployment, now, observer),
      journal_(std::move(journal)),
      names_(engine_.deployment(), journal_) {
  for (const auto* steps : {&scenario_.steps, &scenario_.always})
    for (const PlacedStep& placed : *steps) lost_counts_.emplace(placed.step.get(), 0);
  journal_.on_lost([this](const emulator::JournalEntry& entry) { lost(entry); });
}

void Stage::lost(const emulator::JournalEntry& entry) {
  names_.keep(entry);
  things_.forget(entry.number);
  for (auto& [step, count] : lost_counts_) count += step->counts(entry, names_) ? 1 : 0;
}

std::optional<std::size_t> Stage::lost_count(const Step& step) const {
  if (journal_.lost() == 0) return 0;
  const auto known = lost_counts_.find(&step);
  if (known == lost_counts_.end()) return std::nullopt;
  return known->second;
}

wire::Document Stage::run(std::string_view db, wire::DocumentView command, const std::string& as) {
  const emulator::OplogPosition before = deployment().oplog.end();
  wire::Document reply;
  if (in_transaction_) {
    wire::DocumentBuilder whole;
    whole.append_all(command);
    append_transaction(whole, transactions_);
    if (std::exchange(first_of_transaction_, false)) whole.append_bool("startTransaction", true);
    reply = engine_.run(db, whole.finish(), now_);
  } else {
    reply = engine_.run(db, command, now_);
  }
  name_events(as, before);
  return reply;
}

void Stage::begin_transaction() {
  ++transactions_;
  in_transaction_ = first_of_transaction_ = true;
}

void Stage::commit_transaction() {
  in_transaction_ = false;
  if (std::exchange(first_of_transaction_, false)) return;  // nothing was written
  wire::DocumentBuilder commit;
  commit.append_int32("commitTransaction", 1);
  append_transaction(commit, transactions_);
  check_reply(engine_.run("admin", commit.finish(), now_), nullptr, names_);
}

void Stage::name_events(const std::string& as, emulator::OplogPosition before) {
  if (as.empty()) return;
  std::vector<emulator::OplogPosition> positions;
  const emulator::Oplog& oplog = deployment().oplog;
  for (emulator::OplogPosition position = std::max(before, oplog.first()); position < oplog.end(); ++position)
    positions.push_back(position);
  names_.set(as, names_.capture(positions));
}

void Stage::note(const std::string& text) {
  emulator::JournalEntry entry;
  entry.real = now_.real;
  entry.wall_ms = wall_ms();
  entry.what = emulator::JournalStep{text};
  journal_.append(std::move(entry));
}

std::string Stage::uri() const {
  std::string hosts;
  for (const emulator::Member& member : engine_.deployment().members)
    if (member.role == emulator::Role::Primary || member.role == emulator::Role::Secondary)
      hosts += (hosts.empty() ? "" : ",") + member.address();
  return deployment_uri(engine_.deployment().spec, hosts);
}

void Stage::start_consumer() {
  if (consumer_.state == ConsumerState::Absent) return;
  StartProcess start;
  for (const auto& [name, value] : scenario_.consumer_env) start.environment[name] = environment_text(value, names_);
  for (const auto& [name, value] : consumer_.environment) start.environment[name] = value;
  start.environment["MONGODB_URI"] = uri();
  consumer_.state = ConsumerState::Running;
  consumer_.stopped_by_script = false;
  consumer_.exit_code.reset();
  consumer_.exit_signal.reset();
  shell_effects_.emplace_back(std::move(start));
}

void Stage::signal_consumer(StopSignal signal) {
  if (consumer_.state != ConsumerState::Running) return;
  consumer_.stopped_by_script = true;
  shell_effects_.emplace_back(StopProcess{signal});
}

void Stage::take_output(const ProcessOutput& output) {
  std::string& partial = output.stream == OutputStream::Out ? consumer_.partial_out : consumer_.partial_err;
  for (const char c : output.bytes) {
    if (c != '\n') partial += c;
    if (c != '\n' && partial.size() < line_bytes_max) continue;
    if (!partial.empty() && partial.back() == '\r') partial.pop_back();
    if (consumer_.lines.size() < lines_max) consumer_.lines.push_back(std::move(partial));
    partial.clear();
  }
}

void Stage::take_exit(const ProcessExited& exited) {
  for (std::string* partial : {&consumer_.partial_out, &consumer_.partial_err})
    if (!partial->empty()) {
      consumer_.lines.push_back(std::move(*partial));
      partial->clear();
    }
  consumer_.state = ConsumerState::Exited;
  consumer_.exit_code = exited.code;
  consumer_.exit_signal = exited.signal;
}

}  // namespace scenarios
