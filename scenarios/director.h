// The Director plays a scenario against whoever connects: owns the Engine, takes turns, keeps names, waits, limits and the
// consumer's output, and comes to a verdict. Pure: sockets, processes and clocks are the shell's.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "emulator/journal.h"
#include "scenarios/effect.h"
#include "scenarios/input.h"
#include "scenarios/scenario.h"

namespace scenarios {

// Serve: the script runs, then the deployment goes on serving; no verdict, no COMMAND. Trial: it ends with Finished.
enum class Purpose { Serve, Trial };

struct DirectorOptions {
  Purpose purpose = Purpose::Serve;
  Command command = Command::None;
  emulator::JournalLevel journal = emulator::JournalLevel::Full;
  emulator::JournalBounds journal_bounds = {};
  std::string control_url = {};  // OPLOGUE_CONTROL for COMMAND; empty: no control port
};

class Director {
 public:
  // `given` is done here, before any port is open. A step of it that fails: the verdict comes with the first step().
  Director(Scenario scenario, DirectorOptions options, emulator::Now now);
  ~Director();
  Director(const Director&) = delete;
  Director& operator=(const Director&) = delete;

  // Takes one input, appends what the shell shall do. Ready comes once every member is Listening; Finished at most once.
  void step(const Input& input, emulator::Now now, std::vector<Effect>& effects);
  // The real time at which step(Woken) is due; nullopt: never, unless something else happens.
  std::optional<emulator::RealTime> next_wake() const;
  // Ends a trial early (Ctrl-C, --timeout): the verdict is Failed with this sentence; Finished follows when COMMAND has ended.
  void interrupt(const std::string& sentence, emulator::Now now, std::vector<Effect>& effects);

  bool finished() const;
  const Scenario& scenario() const;
  const emulator::Journal& journal() const;
  emulator::Engine& engine();
  // The journal as JSON lines without what depends on real time: equal in two runs with the same client.
  std::string stable_journal() const;

 private:
  class Play;
  std::unique_ptr<Play> play_;
};

}  // namespace scenarios
