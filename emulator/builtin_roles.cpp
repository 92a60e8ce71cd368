#include "emulator/builtin_roles.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace emulator {
namespace {

// On: "cluster", "anything", "buckets", or DB.COLLECTION where `*` is any and `$` the role's own database.
struct Grant {
  std::string_view on;
  std::array<std::string_view, 3> actions;  // each several, with spaces between
};

struct BuiltinRole {
  std::string_view name;
  enum class Of { EveryDatabase, Admin } of = Of::Admin;
  std::array<std::string_view, 6> includes;
  Grant grants[17];  // NOLINT(modernize-avoid-c-arrays): nested braces without doubling; the last ones are empty
};

// clang-format off
constexpr std::string_view read =
  "changeStream collStats dbHash dbStats find killCursors listCollections listIndexes planCacheRead";
constexpr std::string_view write =
  "compactStructuredEncryptionData convertToCapped createCollection createIndex dropCollection dropIndex insert remove "
  "renameCollectionSameDB update";
constexpr std::string_view administer =
  "bypassDocumentValidation collMod collStats compact convertToCapped createCollection createIndex dbStats dropCollection "
  "dropDatabase dropIndex enableProfiler listCollections listIndexes planCacheIndexFilter planCacheRead planCacheWrite "
  "reIndex renameCollectionSameDB storageDetails validate";
constexpr std::string_view profile = "convertToCapped createCollection dropCollection";
constexpr std::string_view administer_users =
  "changeCustomData changePassword createRole createUser dropRole dropUser grantRole revokeRole "
  "setAuthenticationRestriction viewRole viewUser";
constexpr std::string_view shard =
  "clearJumboFlag enableSharding moveChunk refineCollectionShardKey reshardCollection splitChunk splitVector";
constexpr std::string_view watch = "getDatabaseVersion getShardVersion indexStats";
constexpr std::string_view restore =
  "bypassDocumentValidation collMod convertToCapped createCollection createIndex dropCollection insert";

constexpr auto everywhere = BuiltinRole::Of::EveryDatabase;
constexpr auto admin = BuiltinRole::Of::Admin;

constexpr BuiltinRole roles[] = {
    {"__system", admin, {}, {{"anything", {"anyAction"}}}},
    {"backup", admin, {}, {
        {"cluster", {"appendOplogNote getParameter listDatabases serverStatus setUserWriteBlockMode useUUID"}},
        {"anything", {"collStats listCollections listIndexes"}}, {"config.settings", {"find insert update"}},
        {"*.*", {"find"}}, {"buckets", {"find"}}, {"config.*", {"find"}}, {"local.*", {"find"}},
        {"local.replset.election", {"find"}},
        {"local.replset.minvalid", {"find"}}, {"*.system.js", {"find"}}, {"*.system.users", {"find"}},
        {"*.system.profile", {"find"}},
        {"admin.system.backup_users", {"find"}}, {"admin.system.roles", {"find"}}, {"admin.system.version", {"find"}}}},
    {"clusterAdmin", admin, {"clusterMonitor", "hostManager", "clusterManager"},
        {{"*.*", {"dropDatabase"}}, {"anything", {"exportCollection importCollection"}}}},
    {"clusterManager", admin, {}, {
        {"cluster", {"addShard appendOplogNote applicationMessage cleanupOrphaned flushRouterConfig "
          "getClusterParameter getDefaultRWConcern listSessions listShards removeShard replSetConfigure "
          "replSetGetConfig replSetGetStatus replSetStateChange resync runTenantMigration setClusterParameter "
          "setDefaultRWConcern setFeatureCompatibilityVersion setFreeMonitoring"}},
        {"*.*", {shard}}, {"buckets", {shard}}, {"anything", {"dbCheck"}},
        {"config.*", {read, shard, "insert remove update"}}, {"local.*", {shard, "insert remove update"}},
        {"local.system.replset", {read}}, {"config.system.js", {read}}, {"local.system.healthlog", {read}},
        {"local.replset.election", {"insert remove update"}}, {"local.replset.minvalid", {"insert remove update"}}}},
    {"clusterMonitor", admin, {}, {
        {"cluster", {"allCollectionStats checkFreeMonitoringStatus connPoolStats getCmdLineOpts "
          "getDefaultRWConcern getLog getParameter getShardMap hostInfo inprog listDatabases listSessions "
          "listShards netstat operationMetrics replSetGetConfig replSetGetStatus serverStatus "
          "shardedDataDistribution shardingState top useUUID"}},
        {"*.*", {"collStats dbStats", watch}}, {"config.*", {read, watch}}, {"local.*", {read, watch}},
        {"config.system.sessions", {"collStats dbStats", watch}}, {"config.system.js", {read}},
        {"local.system.js", {read}},
        {"local.system.replset", {"find"}}, {"local.replset.election", {"find"}}, {"local.replset.minvalid", {"find"}},
        {"*.system.profile", {"find"}}}},
    {"dbAdmin", everywhere, {}, {{"$.*", {administer}}, {"$.system.profile", {read, profile}}}},
    {"dbAdminAnyDatabase", admin, {}, {
        {"cluster", {"applyOps listDatabases"}}, {"*.*", {administer}}, {"*.system.profile", {read, profile}},
        {"buckets", {administer}}}},
    {"dbOwner", everywhere, {"readWrite", "dbAdmin", "userAdmin"}, {}},
    {"directShardOperations", admin, {}, {}},
    {"enableSharding", everywhere, {}, {{"*.*", {"enableSharding refineCollectionShardKey reshardCollection"}}}},
    {"hostManager", admin, {}, {
        {"cluster", {"applicationMessage auditConfigure connPoolSync dropConnections flushRouterConfig fsync "
          "invalidateUserCache killAnyCursor killAnySession killop logRotate oidReset replSetResizeOplog resync "
          "rotateCertificates setParameter shutdown touch trafficRecord unlock"}},
        {"*.*", {"killCursors"}}}},
    {"read", everywhere, {}, {{"$.*", {read}}, {"$.system.js", {read}}}},
    {"readAnyDatabase", admin, {},
        {{"cluster", {"listDatabases"}}, {"*.*", {read}}, {"*.system.js", {read}}, {"buckets", {read}}}},
    {"readWrite", everywhere, {}, {{"$.*", {read, write}}, {"$.system.js", {read, write}}}},
    {"readWriteAnyDatabase", admin, {},
        {{"cluster", {"listDatabases"}}, {"*.*", {read, write}}, {"*.system.js", {read, write}},
        {"buckets", {read, write}}}},
    {"restore", admin, {}, {
        {"cluster", {"applyOps bypassWriteBlockingMode forceUUID getParameter setUserWriteBlockMode useUUID"}},
        {"anything", {"listCollections"}}, {"*.*", {administer_users, restore}}, {"*.system.js", {restore}},
        {"config.*", {restore}},
        {"buckets", {restore}}, {"local.*", {restore}}, {"local.system.replset", {restore}},
        {"local.replset.election", {restore}},
        {"local.replset.minvalid", {restore}}, {"admin.tempusers", {"find"}}, {"admin.temproles", {"find"}},
        {"admin.system.backup_users", {restore}}, {"admin.system.version", {restore, "find"}},
        {"*.system.users", {restore, "find remove update"}}, {"admin.system.roles", {"createIndex"}}}},
    {"root", admin,
        {"clusterAdmin", "userAdminAnyDatabase", "dbAdminAnyDatabase", "readWriteAnyDatabase", "backup", "restore"},
        {{"cluster", {"useTenant"}}, {"anything", {"validate"}}, {"config.system.preimages", {"find remove"}}}},
    {"userAdmin", everywhere, {}, {{"$.*", {administer_users}}}},
    {"userAdminAnyDatabase", admin, {}, {
        {"cluster", {"authSchemaUpgrade invalidateUserCache listDatabases viewUser"}},
        {"*.*", {administer_users, "listCachedAndActiveUsers"}}, {"local.*", {administer_users}},
        {"config.*", {administer_users}},
        {"*.system.users", {read}}, {"admin.system.users", {read, "createIndex dropIndex"}},
        {"admin.system.roles", {read, "createIndex dropIndex"}}, {"admin.system.version", {read}},
        {"admin.system.backup_users", {read}}}},
};
// clang-format on

const BuiltinRole* find_role(std::string_view name) {
  const auto at = std::ranges::find(roles, name, &BuiltinRole::name);
  return at == std::end(roles) ? nullptr : &*at;
}

Resource resource_of(std::string_view on, std::string_view db) {
  using Kind = Resource::Kind;
  if (on == "cluster") return Resource::cluster();
  if (on == "anything") return {Kind::Anything, {}, {}};
  if (on == "buckets") return {Kind::AnyBuckets, {}, {}};
  const std::size_t dot = on.find('.');
  const std::string_view database = on.substr(0, dot) == "$" ? db : on.substr(0, dot);
  const std::string_view collection = on.substr(dot + 1);
  if (database == "*")
    return collection == "*" ? Resource::any_normal() : Resource{Kind::CollectionAnywhere, {}, std::string(collection)};
  return collection == "*" ? Resource::database(database) : Resource::of(database, collection);
}

}  // namespace

std::string role_text(const RoleName& name) { return name.role + "@" + name.db; }

bool is_builtin_role(const RoleName& name) {
  const BuiltinRole* role = find_role(name.role);
  return role != nullptr && (role->of == everywhere || name.db == "admin");
}

Privileges privileges_of(const RoleName& name) {
  Privileges out;
  if (!is_builtin_role(name)) return out;
  const BuiltinRole& role = *find_role(name.role);
  for (const std::string_view included : role.includes)
    if (!included.empty()) out.grant_all(privileges_of({std::string(included), name.db}));
  for (const Grant& grant : role.grants)
    for (const std::string_view actions : grant.actions)
      if (!actions.empty()) out.grant(resource_of(grant.on, name.db), ActionSet::of(actions));
  return out;
}

std::vector<RoleName> builtin_roles(std::string_view db) {
  std::vector<RoleName> out;
  for (const BuiltinRole& role : roles)
    if (role.of == everywhere || db == "admin") out.push_back({std::string(role.name), std::string(db)});
  return out;
}

}  // namespace emulator
