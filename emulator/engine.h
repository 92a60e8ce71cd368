// The engine: step(input, now) → effects. Frames in, replies out; who waits, who is woken, what is delivered in which order.
// Pure: no socket, clock, thread or file. One instance is one deployment on one thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/effect.h"
#include "emulator/input.h"
#include "emulator/observer.h"
#include "emulator/periodic_jobs.h"
#include "emulator/wait_list.h"
#include "wire/frame_reader.h"

namespace emulator {

class Engine {
 public:
  // `observer` may be nullptr; it must outlive the engine.
  Engine(DeploymentSpec spec, Now now, Observer* observer);
  ~Engine();

  // Takes one input at `now`, appends what the shell shall do to `effects`. Never throws on what clients send.
  void step(const Input& input, Now now, std::vector<Effect>& effects);
  // The real time at which step(Woken) is due; nullopt: never, unless something else happens.
  std::optional<RealTime> next_wake() const;

  Deployment& deployment() { return deployment_; }
  const Deployment& deployment() const { return deployment_; }
  // Runs a command as a client on the primary would, at once, without a connection: what steps do. Returns the whole reply.
  wire::Document run(std::string_view db, wire::DocumentView command, Now now);

  const Connection* connection(ConnectionId id) const;
  std::vector<const Connection*> connections() const;
  // Requests that wait now, in order of arrival.
  std::vector<const Exchange*> waiting() const;

 private:
  friend class Turn;
  void create_root_user(const RootUser& user, Now now);
  struct ConnectionState;

  Deployment deployment_;
  Observer* observer_;
  std::unordered_map<std::uint64_t, std::unique_ptr<ConnectionState>> connections_;
  std::set<std::uint64_t> delayed_;  // connections whose replies, or parts of them, leave later
  WaitList waits_;
  std::unique_ptr<Exchange> spare_;  // the last one that was over: most requests need no other
  std::uint64_t next_exchange_ = 1;
  std::int64_t next_connection_number_ = 1;
  std::int32_t next_reply_id_ = 1;
  PeriodicJobs jobs_;
  Now last_now_{};
};

}  // namespace emulator
