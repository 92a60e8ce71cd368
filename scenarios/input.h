// What happens to a trial: the emulator's inputs, and what becomes of the consumer's process. Knows no process.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "emulator/input.h"

namespace scenarios {

enum class OutputStream { Out, Err };

// Bytes that the consumer wrote, as they came; the Director makes lines of them.
struct ProcessOutput {
  OutputStream stream = OutputStream::Out;
  std::string bytes;
};

// The consumer ended, and all its output was given before. Exactly one of the two is set.
struct ProcessExited {
  std::optional<int> code;
  std::optional<int> signal;
};

using Input = std::variant<emulator::Listening, emulator::Opened, emulator::Received, emulator::Written,
                           emulator::Closed, emulator::Woken, ProcessOutput, ProcessExited>;

}  // namespace scenarios
