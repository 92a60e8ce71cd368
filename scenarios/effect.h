// What the shell shall do for a trial: the emulator's effects, the consumer's process, the ready line, the verdict.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "emulator/effect.h"

namespace scenarios {

// Start COMMAND, without a shell, with these changes to the environment (nullopt: unset). MONGODB_URI is among them.
struct StartProcess {
  std::map<std::string, std::optional<std::string>> environment;
};

enum class StopSignal { Terminate, Kill };

// Signal COMMAND (and nothing else); ProcessExited follows when it is gone.
struct StopProcess {
  StopSignal signal = StopSignal::Terminate;
};

// Every member listens and `given` is done: a client can find a writable primary.
struct Ready {
  struct Member {
    std::string name;
    std::string address;  // host:port
  };
  std::string deployment;  // its name; the scenario's, or "default"
  std::string uri;
  std::vector<Member> members;
  std::string profile;
  std::uint64_t seed = 0;
};

enum class Verdict { Passed, Failed };

// The trial is over; COMMAND has ended. Nothing follows for it. Of what is only served: `given` failed, nothing was served.
struct Finished {
  Verdict verdict = Verdict::Passed;
  std::string failure;               // as the table shows it in full: many lines; empty when it passed
  std::vector<std::string> refused;  // what was answered 238, named under the table
  std::string output;                // the consumer's, the last part of it
};

// A served scenario's script failed: it is over, the deployment goes on.
struct ScriptFailed {
  std::string failure;  // many lines
};

using Effect = std::variant<emulator::Send, emulator::Close, emulator::Reading, emulator::Listen, StartProcess,
                            StopProcess, Ready, ScriptFailed, Finished>;

}  // namespace scenarios
