// What the shell drives: a deployment, with or without a Director on top. Inputs in, effects out; knows no socket.
#pragma once

#include <optional>
#include <vector>

#include "emulator/input.h"
#include "scenarios/effect.h"
#include "scenarios/input.h"

namespace server {

class Core {
 public:
  Core() = default;
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;
  virtual ~Core() = default;
  // Takes one input at `now`, appends what the shell shall do to `effects`, in order.
  virtual void step(const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) = 0;
  // When step(Woken) is due; nullopt: not before something else happens.
  virtual std::optional<emulator::RealTime> next_wake() const = 0;
};

// Who does what a core asks for beyond sockets. Called while effects are applied: must not step the core.
class TrialShell {
 public:
  TrialShell() = default;
  TrialShell(const TrialShell&) = delete;
  TrialShell& operator=(const TrialShell&) = delete;
  virtual ~TrialShell() = default;
  virtual void start_process(const scenarios::StartProcess& start) = 0;
  virtual void stop_process(const scenarios::StopProcess& stop) = 0;
  virtual void ready(const scenarios::Ready& ready) = 0;
  virtual void script_failed(const scenarios::ScriptFailed& script) = 0;
  virtual void finished(const scenarios::Finished& finished) = 0;
};

}  // namespace server
