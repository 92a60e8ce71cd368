// What a server does by itself as its clock goes on: periodic no-ops, idle cursors, sessions, expired pre-images.
#pragma once

#include <optional>

#include "emulator/deployment.h"

namespace emulator {

class PeriodicJobs {
 public:
  PeriodicJobs(const Deployment& deployment, Now now);
  // Does what is due at the deployment's time.
  void run(Deployment& deployment, Now now);
  // The real time at which something is due next; nullopt under a held clock, which moves only inside a step.
  std::optional<RealTime> next_due(const Deployment& deployment, Now last_now) const;

 private:
  std::int64_t next_noop_ms_ = 0;
  std::int64_t next_sweep_ms_ = 0;
  std::int64_t next_expiry_ms_ = 0;
  wire::Timestamp time_at_last_tick_{};
};

}  // namespace emulator
