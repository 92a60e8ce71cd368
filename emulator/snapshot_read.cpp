#include "emulator/snapshot_read.h"

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/read_concern.h"
#include "emulator/server_parameters.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr int not_a_replica_set = 123;
constexpr int snapshot_too_old = 239;
constexpr int snapshot_is_unavailable = 246;

std::string text(wire::Timestamp time) { return bson_text(wire::Value::timestamp(time)); }

}  // namespace

wire::Timestamp oldest_snapshot(const Deployment& deployment) {
  const wire::Timestamp newest = deployment.cluster_time();
  const std::int64_t window = server_parameter_number(deployment, "minSnapshotHistoryWindowInSeconds");
  wire::Timestamp oldest = deployment.store.history().oldest();
  if (window < newest.seconds)
    oldest = std::max(oldest, {newest.seconds - static_cast<std::uint32_t>(window), newest.increment});
  return oldest;
}

void require_in_history(const Deployment& deployment, wire::Timestamp time) {
  if (time < oldest_snapshot(deployment))
    throw CommandError(snapshot_too_old,
                       "Read timestamp " + text(time) + " is older than the oldest available timestamp.");
}

CommandError snapshot_unavailable(wire::Timestamp time, const Collection& collection) {
  return {snapshot_is_unavailable,
          "Unable to read from a snapshot due to pending collection catalog changes; please retry the operation. "
          "Snapshot timestamp is " +
              text(time) + ". Collection minimum is " + text(collection.minimum_visible())};
}

CommandError capped_in_snapshot() {
  return {snapshot_is_unavailable, "Reading from capped collections with readConcern snapshot is not supported"};
}

const Collection* Snapshot::as_of(const Collection* found) {
  if (found != nullptr && found->kind() != CollectionKind::Ordinary) return found;
  if (found != nullptr && found->capped()) throw capped_in_snapshot();
  if (found != nullptr && found->minimum_visible() > time_) throw snapshot_unavailable(time_, *found);
  // Until 5.0 what is not there is so at any time.
  if (found != nullptr || deployment_.profile.wording > Wording::V5_0) require_in_history(deployment_, time_);
  if (found == nullptr) return nullptr;
  const auto [at, is_new] = past_.try_emplace(found);
  Past& past = at->second;
  if (is_new) past.collection = found->as_of(time_, past.ledger);
  return past.collection != nullptr ? past.collection.get() : found;
}

std::shared_ptr<Snapshot> open_snapshot(const Context& context) {
  if (context.transaction != nullptr) return nullptr;
  const ReadConcern concern = read_concern_of(context.request);
  if (concern.level != "snapshot") return nullptr;
  const Deployment& deployment = context.deployment;
  if (deployment.spec.topology == Topology::Standalone)
    throw CommandError(not_a_replica_set, "node needs to be a replica set member to use readConcern: snapshot");
  if (concern.at) return std::make_shared<Snapshot>(deployment, *concern.at);
  const wire::Timestamp seen = context.read_view().at;
  return std::make_shared<Snapshot>(deployment, std::min(seen, deployment.cluster_time()));
}

}  // namespace emulator
