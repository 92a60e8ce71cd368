// A bare Engine as the shell drives it: a deployment without a script.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "server/core.h"

namespace server {

class EngineCore final : public Core {
 public:
  EngineCore(const emulator::DeploymentSpec& spec, emulator::Now now);
  // Ready comes once every member is Listening.
  void step(const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) override;
  std::optional<emulator::RealTime> next_wake() const override { return engine_.next_wake(); }

 private:
  scenarios::Ready ready() const;

  emulator::DeploymentSpec spec_;
  emulator::Engine engine_;
  std::vector<emulator::Effect> engine_effects_;
  std::vector<std::string> addresses_;
};

}  // namespace server
