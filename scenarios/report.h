// What a user reads: failures with what came instead, the journal's tail, the table of `run`. Knows no step.
#pragma once

#include <string>
#include <vector>

#include "scenarios/condition.h"
#include "scenarios/effect.h"
#include "scenarios/stage.h"

namespace scenarios {

// --- pieces of a failure, each beginning with a line break
// What came since the step before, with why the nearest is not what `awaited` (or nullptr) wanted; or that nobody connected.
std::string came_instead(Stage& stage, const Condition* awaited);
// The journal's last entries without monitoring.
std::string journal_tail(Stage& stage);
std::string output_tail(Stage& stage);
// "exit 3", "killed by signal 9", "still running".
std::string exit_text(const Consumer& consumer);
// One entry in a line: "0.532s shop#4 getMore shop.orders → [first]".
std::string entry_text(const emulator::JournalEntry& entry, const Names& names);

// A failed step in full.
std::string failure_text(Stage& stage, const PlacedStep& step, const std::string& sentence);

// --- the table of `run`
struct TableRow {
  enum class Result { Passed, Failed, Skipped } result = Result::Passed;
  std::string title;
  double seconds = 0;
  std::string details;               // of a failure: in full; of a skipped one: why
  std::vector<std::string> refused;  // what was answered 238
};
// A line a scenario, failures in full below, last "12 passed, 1 failed, 2 skipped (seed 7)".
std::string table(const std::vector<TableRow>& rows, std::uint64_t seed);
// 0 all passed, 1 otherwise.
int exit_code(const std::vector<TableRow>& rows);

}  // namespace scenarios
