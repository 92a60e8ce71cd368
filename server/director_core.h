// A Director as the shell drives it.
#pragma once

#include "scenarios/director.h"
#include "server/core.h"

namespace server {

class DirectorCore final : public Core {
 public:
  // `director` outlives it.
  explicit DirectorCore(scenarios::Director& director) : director_(director) {}
  void step(const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) override {
    director_.step(input, now, effects);
  }
  std::optional<emulator::RealTime> next_wake() const override { return director_.next_wake(); }

 private:
  scenarios::Director& director_;
};

}  // namespace server
