// One script under way: where it stands, and from which places its next wait looks. A scenario has one; so has every control request.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulator/input.h"
#include "scenarios/scenario.h"

namespace scenarios {

// A step's check failed; the sentence, then what was expected and what came, in lines.
struct StepFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a step that waits remembers between two looks.
struct StepMemory {
  bool begun = false;
  emulator::RealTime since{};
  std::optional<emulator::RealTime> deadline;  // when to look again at the latest
  std::vector<bool> met;                       // of an await for several: which are
  std::size_t thing_place = 0;                 // the furthest of those met
  std::size_t line_place = 0;
  int stage = 0;  // of a consumer's restart: what is done
};

struct ScriptRun {
  std::vector<PlacedStep> steps;
  std::size_t next = 0;
  std::size_t thing_place = 0;  // where the previous wait for a next thing ended
  std::size_t line_place = 0;
  StepMemory memory;
  bool passed_early = false;  // then: pass
  bool done() const { return passed_early || next >= steps.size(); }
};

}  // namespace scenarios
