#include "emulator/deployment.h"

#include <algorithm>
#include <stdexcept>

#include "emulator/sharding.h"

namespace emulator {
namespace {

const Profile& profile_named(const std::string& name) {
  const Profile* profile = find_profile(name);
  if (profile == nullptr) throw std::invalid_argument("no profile is named '" + name + "'");
  return *profile;
}

wire::Document message_document(std::string_view text) {
  wire::DocumentBuilder out;
  out.append_string("msg", text);
  return out.finish();
}

}  // namespace

Deployment::Deployment(DeploymentSpec deployment_spec, Now now)
    : spec(std::move(deployment_spec)),
      profile(profile_named(spec.profile)),
      clock(spec.held_clock ? Clock(*spec.held_clock) : Clock()),
      process_id(RandomStream(spec.seed, "process").object_id(static_cast<std::uint32_t>(clock.wall_ms(now) / 1000))),
      uuids(spec.seed, "uuids"),
      object_ids(spec.seed, "object ids"),
      cursor_ids(spec.seed, "cursor ids"),
      secrets(spec.seed, "secrets"),
      signing_key(secrets.bytes(20)),
      signing_key_id(static_cast<std::int64_t>(clock.wall_ms(now) / 1000 << 32 | 1)) {
  for (const std::string& name : spec.members) {
    Member member;
    member.id = static_cast<MemberId>(members.size());
    member.name = name;
    member.role = members.empty() ? Role::Primary : Role::Secondary;
    members.push_back(std::move(member));
  }
  parameters = {spec.parameters.begin(), spec.parameters.end()};
  OplogEntry initiation;
  initiation.o = message_document("initiating set");
  initiation.term = -1;
  append(std::move(initiation), now);
  append_noop("new primary", now);
  if (has_router(*this)) create_shards(*this);
  // Up to 4.4 snapshots are for transactions, whose versions stay with their documents.
  const bool is_past_readable = spec.topology != Topology::Standalone && profile.wording > Wording::V4_4;
  store.history().set_bytes_max(is_past_readable ? spec.store_bytes / history_share_of_store : 0);
  store.history().forget_before(oplog.at(oplog.first()).time);
  if (spec.oplog_start == OplogStart::Rolled) truncate_oplog(oplog.end() - 1);
  touches_.clear();
}

wire::Timestamp Deployment::next_time(Now now) const {
  const wire::Timestamp last = std::max(oplog.last_time(), ticked_);
  const auto seconds = static_cast<std::uint32_t>(clock.wall_ms(now) / 1000);
  if (seconds > last.seconds) return {seconds, 1};
  return {last.seconds, last.increment + 1};
}

wire::Timestamp Deployment::append(OplogEntry entry, Now now) {
  return append_at(std::move(entry), next_time(now), now);
}

wire::Timestamp Deployment::append_at(OplogEntry entry, wire::Timestamp time, Now now) {
  entry.time = time;
  entry.wall_ms = clock.wall_ms(now);
  if (entry.term != -1) entry.term = static_cast<std::int32_t>(term);
  touch(TouchedOplog{oplog.append(std::move(entry))});
  for (Member& member : members)
    if (!member.lagging) member.position = oplog.end();
  while (oplog.bytes() > spec.oplog_bytes && oplog.end() - oplog.first() > 1) truncate_oplog(oplog.first() + 1);
  return time;
}

wire::Timestamp Deployment::append_noop(std::string_view message, Now now) {
  OplogEntry entry;
  entry.o = message_document(message);
  return append(std::move(entry), now);
}

void Deployment::truncate_oplog(OplogPosition position) {
  if (position > oplog.first()) begins_with_initiation_ = false;
  oplog.truncate(position);
}

Member* Deployment::primary() {
  for (Member& member : members)
    if (member.role == Role::Primary) return &member;
  return nullptr;
}

wire::ObjectId Deployment::election_id() const {
  wire::ObjectId id;
  id.bytes = {0x7F, 0xFF, 0xFF, 0xFF};
  for (std::size_t i = 0; i < 8; ++i) id.bytes[4 + i] = static_cast<std::uint8_t>(term >> (56 - 8 * i));
  return id;
}

void Deployment::topology_changed() {
  for (Member& member : members) ++member.topology_counter;
  touch(TouchedTopology{});
}

}  // namespace emulator
