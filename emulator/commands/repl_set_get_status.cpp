#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

std::int32_t state_of(Role role) {
  switch (role) {
    case Role::Primary:
      return 1;
    case Role::Secondary:
      return 2;
    case Role::Recovering:
      return 3;
    case Role::Startup:
      return 5;
    case Role::Arbiter:
      return 7;
    case Role::Down:
      return 8;
  }
  return 6;
}

std::string_view state_text(Role role) {
  switch (role) {
    case Role::Primary:
      return "PRIMARY";
    case Role::Secondary:
      return "SECONDARY";
    case Role::Recovering:
      return "RECOVERING";
    case Role::Startup:
      return "STARTUP2";
    case Role::Arbiter:
      return "ARBITER";
    case Role::Down:
      return "(not reachable/healthy)";
  }
  return "UNKNOWN";
}

struct Applied {
  wire::Timestamp time;
  std::int64_t wall_ms = 0;
};

// The entry before `end`, that a member standing there has applied last.
Applied applied_before(const Oplog& oplog, OplogPosition end) {
  if (end <= oplog.first() || end > oplog.end()) return {};
  const OplogEntry& entry = oplog.at(end - 1);
  return {entry.time, entry.wall_ms};
}

void append_optime(Context& context, std::string_view name, wire::Timestamp time) {
  context.reply.begin_document(name).append_timestamp("ts", time).append_int64("t", context.deployment.term).end();
}

void append_member(Context& context, const Member& member, std::int32_t number) {
  wire::DocumentBuilder& out = context.reply;
  const Applied applied = applied_before(context.deployment.oplog, member.position);
  const bool self = member.id == context.member.id;
  out.begin_document(out.item_name()).append_int32("_id", number).append_string("name", member.address());
  out.append_double("health", member.role == Role::Down ? 0.0 : 1.0).append_int32("state", state_of(member.role));
  out.append_string("stateStr", state_text(member.role)).append_int32("uptime", 1);
  append_optime(context, "optime", applied.time);
  out.append_date("optimeDate", std::int64_t{applied.time.seconds} * 1000)
      .append_date("lastAppliedWallTime", applied.wall_ms);
  out.append_date("lastDurableWallTime", applied.wall_ms);
  if (!self) out.append_date("lastHeartbeat", context.wall_ms()).append_date("lastHeartbeatRecv", context.wall_ms());
  const Member* primary = context.deployment.primary();
  const bool syncs = member.role == Role::Secondary && primary != nullptr;
  out.append_string("syncSourceHost", syncs ? primary->address() : "").append_int32("syncSourceId", syncs ? 0 : -1);
  out.append_string("infoMessage", "").append_int32("configVersion", context.deployment.config_version);
  out.append_int32("configTerm", static_cast<std::int32_t>(context.deployment.term));
  if (self) out.append_bool("self", true);
  out.append_string("lastHeartbeatMessage", "").end();
}

Outcome run(Context& context) {
  const Deployment& deployment = context.deployment;
  if (!deployment.is_replica_set()) throw CommandError(76, "not running with --replSet");
  const Applied applied = applied_before(deployment.oplog, context.member.position);
  const Applied majority = applied_before(deployment.oplog, deployment.majority_end());
  const auto members = static_cast<std::int32_t>(deployment.members.size());
  wire::DocumentBuilder& out = context.reply;
  out.append_string("set", deployment.spec.set_name).append_date("date", context.wall_ms());
  out.append_int32("myState", state_of(context.member.role)).append_int64("term", deployment.term);
  out.append_string("syncSourceHost", "")
      .append_int32("syncSourceId", -1)
      .append_int64("heartbeatIntervalMillis", 2000);
  out.append_int32("majorityVoteCount", members / 2 + 1).append_int32("writeMajorityCount", members / 2 + 1);
  if (context.profile().wording > Wording::V4_2)
    out.append_int32("votingMembersCount", members).append_int32("writableVotingMembersCount", members);
  out.begin_document("optimes");
  append_optime(context, "lastCommittedOpTime", majority.time);
  out.append_date("lastCommittedWallTime", majority.wall_ms);
  append_optime(context, "readConcernMajorityOpTime", majority.time);
  if (context.profile().wording <= Wording::V4_4) out.append_date("readConcernMajorityWallTime", majority.wall_ms);
  append_optime(context, "appliedOpTime", applied.time);
  append_optime(context, "durableOpTime", applied.time);
  out.append_date("lastAppliedWallTime", applied.wall_ms).append_date("lastDurableWallTime", applied.wall_ms).end();
  out.begin_array("members");
  for (std::int32_t i = 0; i < members; ++i) append_member(context, deployment.members[static_cast<std::size_t>(i)], i);
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec repl_set_get_status_command{.name = "replSetGetStatus",
                                                               .admin_only = AdminOnly::Yes,
                                                               .authorized = on_cluster<Action::ReplSetGetStatus>,
                                                               .run = run,
                                                               .help = "Reports the state of the members."};

}  // namespace emulator
