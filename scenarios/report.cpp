#include "scenarios/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/extended_json.h"

namespace scenarios {
namespace {

constexpr std::size_t tail_entries_max = 12;
constexpr std::size_t tail_lines_max = 8;
constexpr std::size_t came_max = 10;

double seconds(emulator::RealTime real) { return std::chrono::duration<double>(real).count(); }

std::string namespace_text(const emulator::JournalRequest& request) {
  const wire::ValueView own = request.body.view().first().value;
  const wire::ValueView collection = own.is(wire::Type::String) ? own : request.body["collection"];
  return collection.is(wire::Type::String) ? request.db + "." + std::string(collection.as_string()) : request.db;
}

std::string events_text(const emulator::JournalRequest& request, const Names& names) {
  std::string text;
  std::size_t unnamed = 0;
  for (const auto& event : request.events) {
    const std::string name = names.name_of(event);
    if (name.empty())
      ++unnamed;
    else
      text += (text.empty() ? "" : ", ") + name;
  }
  if (unnamed > 0) text += fmt::format("{}{} unnamed", text.empty() ? "" : ", ", unnamed);
  return "[" + text + "]";
}

std::string outcome_text(const emulator::JournalRequest& request, const Names& names) {
  if (!request.over) return "waits";
  std::string text;
  if (request.kind == emulator::ReplyKind::None)
    text = "no reply";
  else if (request.kind == emulator::ReplyKind::Error)
    text = fmt::format("error {}", request.error_code);
  else if (request.is_batch)
    text = events_text(request, names);
  else
    text = "ok";
  return request.faults.empty() ? text : text + " (by a fault)";
}

// What the request of a stream carries, by its name where it has one.
std::string carried_text(const emulator::JournalRequest& request, const Names& names) {
  for (const std::string_view option : {"resumeAfter", "startAfter"}) {
    const wire::ValueView token = request.body.find_path("pipeline.0.$changeStream." + std::string(option));
    if (!token.is(wire::Type::Document)) continue;
    const std::string name = names.name_of_token(token.as_document());
    const wire::ValueView hex = token.as_document()["_data"];
    return fmt::format(" {} {}", option,
                       !name.empty()                ? name
                       : hex.is(wire::Type::String) ? std::string(hex.as_string())
                                                    : "?");
  }
  return request.body.find_path("pipeline.0.$changeStream").missing() ? "" : " opens a stream";
}

}  // namespace

std::string entry_text(const emulator::JournalEntry& entry, const Names& names) {
  const std::string who = fmt::format("{:8.3f}s {}#{}", seconds(entry.real), entry.application,
                                      static_cast<std::uint64_t>(entry.connection));
  if (const emulator::JournalRequest* request = entry.request())
    return fmt::format("{} {} {}{} → {}", who, request->command, namespace_text(*request),
                       carried_text(*request, names), outcome_text(*request, names));
  if (const auto* opened = std::get_if<emulator::JournalOpened>(&entry.what))
    return fmt::format("{} connected from {}", who, opened->peer);
  if (std::holds_alternative<emulator::JournalClosed>(entry.what)) return who + " closed";
  if (std::holds_alternative<emulator::JournalDelivery>(entry.what)) return who + " took the reply";
  if (const auto* step = std::get_if<emulator::JournalStep>(&entry.what))
    return fmt::format("{:8.3f}s step {}", seconds(entry.real), step->text);
  return who;
}

std::string journal_tail(Stage& stage) {
  std::vector<std::string> lines;
  const auto& entries = stage.journal().entries();
  for (auto entry = entries.rbegin(); entry != entries.rend() && lines.size() < tail_entries_max; ++entry) {
    if (const emulator::JournalRequest* request = entry->request(); request != nullptr && request->monitoring) continue;
    if (std::holds_alternative<emulator::JournalDelivery>(entry->what)) continue;
    lines.push_back(entry_text(*entry, stage.names()));
  }
  std::string text = lines.empty() ? "" : "\n  journal:";
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) text += "\n  " + *line;
  return text;
}

std::string output_tail(Stage& stage) {
  const std::vector<std::string>& lines = stage.consumer().lines;
  if (lines.empty()) return stage.consumer().state == ConsumerState::Absent ? "" : "\n  COMMAND wrote nothing";
  std::string text = "\n  output:";
  for (std::size_t i = lines.size() - std::min(lines.size(), tail_lines_max); i < lines.size(); ++i)
    text += "\n    " + lines[i];
  return text;
}

std::string exit_text(const Consumer& consumer) {
  if (consumer.state == ConsumerState::Absent) return "there is no COMMAND";
  if (consumer.state == ConsumerState::NotStarted) return "not started";
  if (consumer.state == ConsumerState::Running) return "still running";
  if (consumer.exit_signal) return fmt::format("killed by signal {}", *consumer.exit_signal);
  return fmt::format("exit {}", consumer.exit_code.value_or(0));
}

namespace {

// Whether the awaited thing came before the place that the wait looks from.
std::string came_early(Stage& stage, const Condition* awaited) {
  if (awaited == nullptr) return {};
  for (std::size_t i = std::min(stage.script().thing_place, stage.things().end()); i-- > stage.things().first();) {
    const emulator::JournalEntry* entry = stage.entry_of(stage.things()[i]);
    if (entry == nullptr || entry->request() == nullptr || awaited->mismatch_of(Seen{*entry}, stage.names())) continue;
    return "\n  it came earlier, before what an earlier step waited for:\n  " + entry_text(*entry, stage.names());
  }
  return {};
}

}  // namespace

std::string came_instead(Stage& stage, const Condition* awaited) {
  if (!stage.somebody_connected())
    return stage.consumer().state == ConsumerState::Absent ? "\n  nobody connected"
                                                           : "\n  nobody connected: does COMMAND use $MONGODB_URI?";
  const Things& things = stage.things();
  std::vector<std::string> came;
  std::size_t more = 0;
  for (std::size_t i = std::max(stage.script().thing_place, things.first()); i < things.end(); ++i) {
    const emulator::JournalEntry* entry = stage.entry_of(things[i]);
    if (entry == nullptr || entry->request() == nullptr || entry->request()->monitoring) continue;
    if (came.size() == came_max) {
      ++more;
      continue;
    }
    std::string line = entry_text(*entry, stage.names());
    if (awaited != nullptr)
      if (const auto differs = awaited->mismatch_of(Seen{*entry}, stage.names()); differs && differs->path != "command")
        line += fmt::format("\n      {}: expected {}, actual {}", differs->path, differs->expected, differs->actual);
    came.push_back(std::move(line));
  }
  const std::string early = came_early(stage, awaited);
  if (came.empty()) return "\n  nothing came since the step before" + early;
  std::string text = "\n  what came since the step before:";
  for (const std::string& line : came) text += "\n  " + line;
  if (more > 0) text += fmt::format("\n  and {} more", more);
  return text + early;
}

std::string failure_text(Stage& stage, const PlacedStep& step, const std::string& sentence) {
  const Scenario& scenario = stage.scenario();
  std::string text = fmt::format("{}:{}: {}\n  {}", scenario.file, step.at.line, step.text, sentence);
  if (!scenario.variant.empty()) text += fmt::format("\n  variant: {}", scenario.variant);
  text += fmt::format("\n  seed: {}", scenario.deployment.seed);
  if (sentence.find("\n  journal:") == std::string::npos) text += journal_tail(stage);
  if (sentence.find("\n  output:") == std::string::npos) text += output_tail(stage);
  return text;
}

std::string table(const std::vector<TableRow>& rows, std::uint64_t seed) {
  using Result = TableRow::Result;
  std::string text, failures;
  std::size_t passed = 0, failed = 0, skipped = 0;
  for (const TableRow& row : rows) {
    const std::string_view word = row.result == Result::Passed   ? "passed"
                                  : row.result == Result::Failed ? "FAILED"
                                                                 : "skipped";
    text += fmt::format("{:<8}{}", word, row.title);
    if (row.result == Result::Skipped)
      text += ": " + row.details;
    else
      text += fmt::format(" ({:.2f}s)", row.seconds);
    text += '\n';
    if (row.result == Result::Failed) failures += "\n" + row.details + "\n";
    (row.result == Result::Passed ? passed : row.result == Result::Failed ? failed : skipped) += 1;
  }
  text += failures;
  for (const TableRow& row : rows)
    for (const std::string& refused : row.refused)
      text += fmt::format("{} asked for what Oplogue does not do (238): {}; its verdict may not mean much\n", row.title,
                          refused);
  return text + fmt::format("{} passed, {} failed, {} skipped (seed {})\n", passed, failed, skipped, seed);
}

int exit_code(const std::vector<TableRow>& rows) {
  return std::ranges::any_of(rows, [](const TableRow& row) { return row.result == TableRow::Result::Failed; }) ? 1 : 0;
}

}  // namespace scenarios
