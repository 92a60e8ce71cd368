#include "emulator/periodic_jobs.h"

#include <algorithm>
#include <limits>

#include "emulator/images.h"
#include "emulator/limits.h"
#include "emulator/session_list.h"
#include "emulator/snapshot_read.h"

namespace emulator {
namespace {

constexpr std::int64_t minute_ms = 60'000;
// How often open transactions are looked at, while there are any.
constexpr std::int64_t expiry_interval_ms = 1'000;

std::int64_t parameter_ms(const Deployment& deployment, std::string_view name, std::int64_t default_seconds) {
  const auto at = deployment.parameters.find(name);
  std::int64_t seconds = default_seconds;
  if (at != deployment.parameters.end()) {
    const wire::ValueView value = at->second;
    if (value.is(wire::Type::Int32)) seconds = value.as_int32();
    if (value.is(wire::Type::Int64)) seconds = value.as_int64();
  }
  return std::clamp<std::int64_t>(seconds, 1, std::numeric_limits<std::int32_t>::max()) * 1000;
}

// periodicNoopIntervalSecs, 10 by default.
std::int64_t noop_interval_ms(const Deployment& deployment) {
  return parameter_ms(deployment, "periodicNoopIntervalSecs", 10);
}

// expiredChangeStreamPreImageRemovalJobSleepSecs, 10 by default; cursors are looked at as often.
std::int64_t sweep_interval_ms(const Deployment& deployment) {
  return parameter_ms(deployment, "expiredChangeStreamPreImageRemovalJobSleepSecs", 10);
}

bool writes_noops(const Deployment& deployment) {
  const auto at = deployment.parameters.find("writePeriodicNoops");
  const bool off =
      at != deployment.parameters.end() && at->second.type() == wire::Type::Bool && !at->second.view().as_bool();
  return !off && deployment.spec.topology != Topology::Standalone;
}

}  // namespace

PeriodicJobs::PeriodicJobs(const Deployment& deployment, Now now)
    : next_noop_ms_(deployment.clock.wall_ms(now) + noop_interval_ms(deployment)),
      next_sweep_ms_(deployment.clock.wall_ms(now) + sweep_interval_ms(deployment)),
      time_at_last_tick_(deployment.cluster_time()) {}

void PeriodicJobs::run(Deployment& deployment, Now now) {
  const std::int64_t wall_ms = deployment.clock.wall_ms(now);
  if (deployment.sessions.open_transactions() > 0 && wall_ms >= next_expiry_ms_) {
    expire_transactions(deployment, now);
    next_expiry_ms_ = wall_ms + expiry_interval_ms;
  }
  if (wall_ms >= next_noop_ms_) {
    // As the NoopWriter: only if nothing was written since the tick before.
    if (writes_noops(deployment) && deployment.primary() != nullptr && deployment.cluster_time() == time_at_last_tick_)
      deployment.append_noop("periodic noop", now);
    time_at_last_tick_ = deployment.cluster_time();
    next_noop_ms_ = wall_ms + noop_interval_ms(deployment);
  }
  if (wall_ms >= next_sweep_ms_) {
    deployment.cursors.expire(wall_ms, cursor_timeout_minutes * minute_ms);
    expire_sessions(deployment, wall_ms);
    expire_images(deployment, now);
    deployment.store.history().forget_before(oldest_snapshot(deployment));
    next_sweep_ms_ = wall_ms + sweep_interval_ms(deployment);
  }
}

std::optional<RealTime> PeriodicJobs::next_due(const Deployment& deployment, Now last_now) const {
  if (deployment.clock.is_held()) return std::nullopt;
  std::int64_t due_ms = std::min(next_noop_ms_, next_sweep_ms_);
  if (deployment.sessions.open_transactions() > 0) due_ms = std::min(due_ms, next_expiry_ms_);
  const std::int64_t left_ms = std::max<std::int64_t>(due_ms - deployment.clock.wall_ms(last_now), 0);
  return last_now.real + std::chrono::milliseconds(left_ms);
}

}  // namespace emulator
