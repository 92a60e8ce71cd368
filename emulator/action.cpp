#include "emulator/action.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace emulator {
namespace {

// clang-format off
constexpr std::string_view words =
    "addShard allCollectionStats anyAction appendOplogNote applicationMessage applyOps auditConfigure "
    "authSchemaUpgrade bypassDocumentValidation bypassWriteBlockingMode changeCustomData changePassword changeStream "
    "checkFreeMonitoringStatus cleanupOrphaned clearJumboFlag collMod collStats compact "
    "compactStructuredEncryptionData connPoolStats connPoolSync convertToCapped createCollection createIndex "
    "createRole createUser dbCheck dbHash dbStats dropCollection dropConnections dropDatabase dropIndex dropRole "
    "dropUser enableProfiler enableSharding exportCollection find flushRouterConfig forceUUID fsync "
    "getClusterParameter getCmdLineOpts getDatabaseVersion getDefaultRWConcern getLog getParameter getShardMap "
    "getShardVersion grantRole hostInfo importCollection indexStats inprog insert invalidateUserCache killAnyCursor "
    "killAnySession killCursors killop listCachedAndActiveUsers listCollections listDatabases listIndexes "
    "listSessions listShards logRotate moveChunk netstat oidReset operationMetrics planCacheIndexFilter "
    "planCacheRead planCacheWrite refineCollectionShardKey reIndex remove removeShard renameCollectionSameDB "
    "replSetConfigure replSetGetConfig replSetGetStatus replSetResizeOplog replSetStateChange reshardCollection "
    "resync revokeRole rotateCertificates runTenantMigration serverStatus setAuthenticationRestriction "
    "setClusterParameter setDefaultRWConcern setFeatureCompatibilityVersion setFreeMonitoring setParameter "
    "setUserWriteBlockMode shardedDataDistribution shardingState shutdown splitChunk splitVector storageDetails top "
    "touch trafficRecord unlock update useTenant useUUID validate viewRole viewUser";
// clang-format on

constexpr std::array<std::string_view, action_count> split() {
  std::array<std::string_view, action_count> out;
  std::string_view left = words;
  for (std::string_view& name : out) {
    name = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), name.size() + 1));
  }
  return out;
}

constexpr auto names = split();
static_assert(names.back() == "viewUser");

}  // namespace

std::string_view action_name(Action action) { return names[static_cast<std::size_t>(action)]; }

std::optional<Action> action_named(std::string_view name) {
  const auto at = std::ranges::find(names, name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Action>(at - names.begin());
}

ActionSet ActionSet::of(std::string_view left) {
  ActionSet out;
  while (!left.empty()) {
    const std::string_view name = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(left.size(), name.size() + 1));
    const std::optional<Action> action = action_named(name);
    assert(action);
    out.bits_.set(static_cast<std::size_t>(*action));
  }
  return out;
}

}  // namespace emulator
