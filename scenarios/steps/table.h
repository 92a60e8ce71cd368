// A step is a file of this folder: it defines its row, and no other file is edited to add it.
// table-type: StepSpec
// table-suffix: step
// table-accessor: all_steps
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "scenarios/node.h"
#include "scenarios/reader.h"
#include "scenarios/stage.h"
#include "scenarios/steps/step.h"

namespace scenarios {

// Data, history and time may stand in `given`; what needs a client or waits may not.
enum class InGiven { Refused, Allowed };
// Checks that are judged to the end may stand in `always`.
enum class InAlways { Refused, Allowed };

struct StepSpec {
  std::string_view name;
  InGiven in_given = InGiven::Refused;
  InAlways in_always = InAlways::Refused;
  // Reads the step's value; problems go to the reader, and what is returned then is not performed.
  std::unique_ptr<Step> (*parse)(Reader& reader, const Node& value) = nullptr;
  std::string_view help;     // one sentence
  std::string_view example;  // a whole step
};

std::span<const StepSpec* const> all_steps();
const StepSpec* find_step(std::string_view name);

}  // namespace scenarios
