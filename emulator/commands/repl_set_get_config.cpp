#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

void append_member(wire::DocumentBuilder& out, const Member& member, std::int32_t number, Wording wording) {
  out.begin_document(out.item_name()).append_int32("_id", number).append_string("host", member.address());
  out.append_bool("arbiterOnly", member.role == Role::Arbiter).append_bool("buildIndexes", true);
  out.append_bool("hidden", member.hidden).append_double("priority", member.hidden ? 0.0 : 1.0);
  out.begin_document("tags")
      .end()
      .append_int64(wording <= Wording::V4_4 ? "slaveDelay" : "secondaryDelaySecs", 0)
      .append_int32("votes", 1)
      .end();
}

void append_settings(wire::DocumentBuilder& out, const wire::ObjectId& id) {
  out.begin_document("settings").append_bool("chainingAllowed", true).append_int32("heartbeatIntervalMillis", 2000);
  out.append_int32("heartbeatTimeoutSecs", 10).append_int32("electionTimeoutMillis", 10'000);
  out.append_int32("catchUpTimeoutMillis", -1).append_int32("catchUpTakeoverDelayMillis", 30'000);
  out.begin_document("getLastErrorModes").end();
  out.begin_document("getLastErrorDefaults").append_int32("w", 1).append_int32("wtimeout", 0).end();
  out.append_object_id("replicaSetId", id).end();
}

Outcome run(Context& context) {
  const Deployment& deployment = context.deployment;
  if (!deployment.is_replica_set()) throw CommandError(76, "not running with --replSet");
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("config")
      .append_string("_id", deployment.spec.set_name)
      .append_int32("version", deployment.config_version);
  const Wording wording = context.profile().wording;
  if (wording > Wording::V4_2) out.append_int32("term", static_cast<std::int32_t>(deployment.term));
  const auto append_protocol = [&] {
    out.append_int64("protocolVersion", 1).append_bool("writeConcernMajorityJournalDefault", true);
  };
  if (wording <= Wording::V4_4) append_protocol();
  out.begin_array("members");
  for (std::size_t i = 0; i < deployment.members.size(); ++i)
    append_member(out, deployment.members[i], static_cast<std::int32_t>(i), wording);
  out.end();
  if (wording > Wording::V4_4) append_protocol();
  append_settings(out, deployment.process_id);
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec repl_set_get_config_command{.name = "replSetGetConfig",
                                                               .admin_only = AdminOnly::Yes,
                                                               .authorized = on_cluster<Action::ReplSetGetConfig>,
                                                               .run = run,
                                                               .help = "Gives the set's configuration."};

}  // namespace emulator
