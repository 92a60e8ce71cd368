// The deployment's clock: held at an instant or running with the system's. Dates all data; reads no clock itself.
#pragma once

#include <optional>

#include "emulator/input.h"
#include "wire/document.h"

namespace emulator {

class Clock {
 public:
  Clock() = default;
  // Held at that instant until advanced.
  explicit Clock(SystemTime held) : held_(held) {}

  bool is_held() const { return held_.has_value(); }
  // The deployment's wall time.
  SystemTime wall(Now now) const { return held_ ? *held_ : now.system + advanced_; }
  std::int64_t wall_ms(Now now) const { return wall(now).time_since_epoch().count(); }
  // Moves the deployment's time, and counts as waited for getMores, hellos and delays.
  void advance(std::chrono::milliseconds by) {
    advanced_ += by;
    if (held_) *held_ += by;
  }
  // Real time plus all advances: what deadlines of waits are measured in.
  RealTime waited(Now now) const { return now.real + advanced_; }
  std::chrono::milliseconds advanced() const { return advanced_; }

 private:
  std::optional<SystemTime> held_;
  std::chrono::milliseconds advanced_{0};
};

}  // namespace emulator
