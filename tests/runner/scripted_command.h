// COMMAND without a process: does what one line says, in virtual time, and ends as a process would when it is signalled.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/fake_client.h"

namespace oplogue_test {

// The line: actions with "; " between them, done again from the first at each start.
//   print TEXT     a line on stdout; ${NAME} is the environment's, "-" where it is not set
//   write TEXT     the same without the line's end
//   wait 100ms     milliseconds
//   exit N
//   ignore TERM    only KILL ends it
// After the last one it runs until it is stopped.
class ScriptedCommand {
 public:
  // Throws std::runtime_error for what it does not know. An empty line never starts.
  ScriptedCommand(World& world, const std::string& line);
  // Does what is due; to be called every millisecond.
  void run();

 private:
  struct Action {
    std::string verb;
    std::string argument;
  };
  void begin(const scenarios::StartProcess& start);
  void signal(scenarios::StopSignal signal);
  void perform(const Action& action);
  void output(const std::string& text);
  void end(scenarios::ProcessExited exited);
  std::string expanded(std::string text) const;

  World& world_;
  std::vector<Action> actions_;
  bool running_ = false;
  bool ignores_term_ = false;
  std::size_t next_ = 0;
  std::size_t starts_seen_ = 0;
  std::size_t stops_seen_ = 0;
  emulator::RealTime sleeps_until_{};
  std::map<std::string, std::optional<std::string>> environment_;
};

}  // namespace oplogue_test
