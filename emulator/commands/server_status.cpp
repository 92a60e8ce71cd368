#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

void append_replication(Context& context) {
  Deployment& deployment = context.deployment;
  if (!deployment.is_replica_set()) return;
  wire::DocumentBuilder& out = context.reply;
  const Member* primary = deployment.primary();
  out.begin_document("repl").begin_array("hosts");
  for (const Member& member : deployment.members) out.append_string(out.item_name(), member.address());
  out.end().append_string("setName", deployment.spec.set_name).append_int32("setVersion", deployment.config_version);
  out.append_bool("isWritablePrimary", context.member.role == Role::Primary);
  out.append_bool("secondary", context.member.role == Role::Secondary);
  if (primary != nullptr) out.append_string("primary", primary->address());
  out.append_string("me", context.member.address()).append_object_id("electionId", deployment.election_id()).end();
}

void append_cursors(Context& context) {
  std::int64_t pinned = 0;
  std::int64_t no_timeout = 0;
  for (const auto& [id, cursor] : context.deployment.cursors.all()) {
    pinned += cursor->pinned_by != 0 ? 1 : 0;
    no_timeout += cursor->no_timeout ? 1 : 0;
  }
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("metrics").begin_document("cursor").begin_document("open").append_int64("noTimeout", no_timeout);
  out.append_int64("pinned", pinned)
      .append_int64("total", static_cast<std::int64_t>(context.deployment.cursors.size()));
  out.end().end().end();
}

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.append_string("host", context.member.address()).append_string("version", context.profile().version);
  out.append_string("process", has_router(context.deployment) ? "mongos" : "mongod")
      .append_int64("pid", 1)
      .append_date("localTime", context.wall_ms());
  out.begin_document("connections")
      .append_int32("current", 1)
      .append_int32("available", 1000)
      .append_int32("totalCreated", 1)
      .end();
  append_replication(context);
  out.begin_document("storageEngine").append_string("name", "wiredTiger").append_bool("supportsCommittedReads", true);
  out.append_bool("supportsSnapshotReadConcern", true)
      .append_bool("readOnly", false)
      .append_bool("persistent", true)
      .end();
  append_cursors(context);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec server_status_command{.name = "serverStatus",
                                                         .authorized = on_cluster<Action::ServerStatus>,
                                                         .run = run,
                                                         .help = "Reports what monitors and drivers look at."};

}  // namespace emulator
