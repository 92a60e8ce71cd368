// The in-band road to scenario steps, `{oplogue: <step>}`: an interface that the Director implements.
#pragma once

#include "emulator/context.h"

namespace emulator {

class StepDoor {
 public:
  virtual ~StepDoor() = default;
  // Performs the step, or list of steps, that is the first value of `command`; writes {result, as} into the reply.
  // Throws CommandError: 9 for a malformed step, 96 for a failed check.
  virtual Outcome perform(Context& context, wire::DocumentView command) = 0;
  // Goes on with a step that waited: Expired when it is done (TouchedExchange) or its time is up.
  virtual Outcome resume(Context& context, WaitState& state, WakeReason reason) = 0;
};

}  // namespace emulator
