// One step of a script, read and checked: does its work when its turn comes, or says what it waits for.
#pragma once

#include <memory>

#include "emulator/journal.h"

namespace scenarios {

class Names;
class Stage;

// What performing a step came to.
enum class Progress {
  Done,
  Waits,  // asked again when something happened; only await, pause, consumer
};

// Steps are immutable and shared between runs: what a run of them remembers is the Stage's.
class Step {
 public:
  Step() = default;
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  // Throws StepFailed when its check fails.
  virtual Progress perform(Stage& stage) const = 0;
  // The step can wait, so it may not stand in `given`.
  virtual bool can_wait() const { return false; }
  // In `always`: it watches from the start; the others are judged at the end.
  virtual bool watches() const { return false; }
  // It speaks of the consumer's exit, so that one other than 0 is no failure by itself.
  virtual bool names_exit() const { return false; }
  // Whether a request that the journal is about to lose is one of those it counts; names as they are then.
  virtual bool counts(const emulator::JournalEntry&, const Names&) const { return false; }
  // The consumer is not started before this step.
  virtual bool starts_consumer() const { return false; }
  virtual bool controls_consumer() const { return false; }
};

}  // namespace scenarios
