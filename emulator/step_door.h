// The in-band road to scenario steps, `{oplogue: <step>}`: an interface that the Director implements.
#pragma once

#include "emulator/context.h"

namespace emulator {

class StepDoor {
 public:
  virtual ~StepDoor() = default;
  // Performs the step; writes {result, as} into the reply. Throws CommandError: 9 for a malformed step, 96 for a failed check.
  virtual Outcome perform(Context& context, wire::DocumentView step) = 0;
};

}  // namespace emulator
