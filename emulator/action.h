// What a role can allow: MongoDB's action types (6.0) and sets of them. Knows no resource.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

namespace emulator {

// In the order in which privileges list them.
// clang-format off
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // g++ 12 takes a scoped enumerator for a type's shadow
enum class Action {
  AddShard, AllCollectionStats, AnyAction, AppendOplogNote, ApplicationMessage, ApplyOps, AuditConfigure,
  AuthSchemaUpgrade, BypassDocumentValidation, BypassWriteBlockingMode, ChangeCustomData, ChangePassword,
  ChangeStream, CheckFreeMonitoringStatus, CleanupOrphaned, ClearJumboFlag, CollMod, CollStats, Compact,
  CompactStructuredEncryptionData, ConnPoolStats, ConnPoolSync, ConvertToCapped, CreateCollection, CreateIndex,
  CreateRole, CreateUser, DbCheck, DbHash, DbStats, DropCollection, DropConnections, DropDatabase, DropIndex,
  DropRole, DropUser, EnableProfiler, EnableSharding, ExportCollection, Find, FlushRouterConfig, ForceUUID,
  Fsync, GetClusterParameter, GetCmdLineOpts, GetDatabaseVersion, GetDefaultRWConcern, GetLog, GetParameter,
  GetShardMap, GetShardVersion, GrantRole, HostInfo, ImportCollection, IndexStats, Inprog, Insert,
  InvalidateUserCache, KillAnyCursor, KillAnySession, KillCursors, Killop, ListCachedAndActiveUsers,
  ListCollections, ListDatabases, ListIndexes, ListSessions, ListShards, LogRotate, MoveChunk, Netstat, OidReset,
  OperationMetrics, PlanCacheIndexFilter, PlanCacheRead, PlanCacheWrite, RefineCollectionShardKey, ReIndex,
  Remove, RemoveShard, RenameCollectionSameDB, ReplSetConfigure, ReplSetGetConfig, ReplSetGetStatus,
  ReplSetResizeOplog, ReplSetStateChange, ReshardCollection, Resync, RevokeRole, RotateCertificates,
  RunTenantMigration, ServerStatus, SetAuthenticationRestriction, SetClusterParameter, SetDefaultRWConcern,
  SetFeatureCompatibilityVersion, SetFreeMonitoring, SetParameter, SetUserWriteBlockMode,
  ShardedDataDistribution, ShardingState, Shutdown, SplitChunk, SplitVector, StorageDetails, Top, Touch,
  TrafficRecord, Unlock, Update, UseTenant, UseUUID, Validate, ViewRole, ViewUser,
};
#pragma GCC diagnostic pop
// clang-format on
inline constexpr std::size_t action_count = static_cast<std::size_t>(Action::ViewUser) + 1;

// "find", "reIndex", …
std::string_view action_name(Action action);
std::optional<Action> action_named(std::string_view name);

class ActionSet {
 public:
  ActionSet() = default;
  // Names with spaces between; the names of a table in this program, so an unknown one is a bug.
  static ActionSet of(std::string_view names);
  void add(const ActionSet& others) { bits_ |= others.bits_; }
  bool has(Action action) const {
    return bits_.test(static_cast<std::size_t>(action)) || bits_.test(static_cast<std::size_t>(Action::AnyAction));
  }
  bool any() const { return bits_.any(); }
  bool operator==(const ActionSet&) const = default;

 private:
  std::bitset<action_count> bits_;
};

}  // namespace emulator
