// A deployment as a model: members, clock, oplog, store, sessions, cursors, parameters. Pure; whoever changes it notes touches.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/clock.h"
#include "emulator/cursor.h"
#include "emulator/deployment_spec.h"
#include "emulator/fault_plan.h"
#include "emulator/member.h"
#include "emulator/oplog.h"
#include "emulator/profile.h"
#include "emulator/profiling.h"
#include "emulator/random.h"
#include "emulator/session.h"
#include "emulator/store/store.h"
#include "emulator/touch.h"

namespace emulator {

// In-band control, `{oplogue: <step>}`: implemented by the Director (scenarios/), called by commands/oplogue.cpp.
class Context;
class StepDoor;

// The last reply's $clusterTime and operationTime as bytes (reply.cpp).
struct ReplyTimes {
  wire::Timestamp cluster_time{};
  wire::Timestamp operation_time{};
  wire::Document document;
};
// When a stream that begins before the oplog does is told so: by its open, or (a script's wish) by its first getMore.
enum class HistoryLostAt { Open, FirstRead };

class Deployment {
 public:
  Deployment(DeploymentSpec deployment_spec, Now now);
  Deployment(const Deployment&) = delete;
  Deployment& operator=(const Deployment&) = delete;

  const DeploymentSpec spec;
  const Profile& profile;
  Clock clock;
  Oplog oplog;
  Store store;
  CursorTable cursors;
  SessionTable sessions;
  FaultPlan faults{spec.seed};
  Profiling profiling;
  std::vector<Member> members;
  std::int64_t term = 1;
  std::int32_t config_version = 1;
  wire::ObjectId process_id{};                                            // of topologyVersion
  std::map<std::string, wire::Value, std::less<>> parameters;             // setParameter, getParameter
  std::map<std::string, wire::Document, std::less<>> cluster_parameters;  // setClusterParameter
  RandomStream uuids;
  RandomStream object_ids;
  RandomStream cursor_ids;
  RandomStream secrets;               // salts, nonces, keys
  const std::string signing_key;      // of cluster times, where authentication is on
  const std::int64_t signing_key_id;  // as mongod's, the cluster time of its making
  StepDoor* step_door = nullptr;
  mutable ReplyTimes reply_times;
  HistoryLostAt history_lost_at = HistoryLostAt::Open;

  // --- time
  // Gives the entry the next cluster time and the wall time, appends it, notes whom it touches. Returns its time.
  wire::Timestamp append(OplogEntry entry, Now now);
  // The time the next append would get.
  wire::Timestamp next_time(Now now) const;
  // Takes that time for something that is no entry: the next append gets a later one.
  wire::Timestamp tick(Now now) { return ticked_ = next_time(now); }
  // Appends with a time that tick() gave, nothing having been appended since.
  wire::Timestamp append_at(OplogEntry entry, wire::Timestamp time, Now now);
  // The last entry that a majority has: what streams, awaitData and majority reads see. One past its position.
  OplogPosition majority_end() const { return oplog.end(); }
  wire::Timestamp cluster_time() const { return oplog.last_time(); }
  // A no-op entry: {msg: text}.
  wire::Timestamp append_noop(std::string_view message, Now now);
  // Drops entries before `position`, with their pre-images.
  void truncate_oplog(OplogPosition position);
  bool oplog_begins_with_initiation() const { return begins_with_initiation_; }

  // --- members
  bool is_replica_set() const { return spec.topology == Topology::ReplicaSet; }
  Member& member(MemberId id) { return members.at(static_cast<std::size_t>(id)); }
  Member* primary();
  wire::ObjectId election_id() const;  // 7fffffff + term
  void topology_changed();

  // --- touches, in order; the Engine takes them at the end of the turn
  void touch(Touch touch) { touches_.push_back(std::move(touch)); }
  std::vector<Touch> take_touches() { return std::exchange(touches_, {}); }
  bool has_touches() const { return !touches_.empty(); }

 private:
  std::vector<Touch> touches_;
  wire::Timestamp ticked_{};
  bool begins_with_initiation_ = true;
};

}  // namespace emulator
