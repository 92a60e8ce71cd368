// What a deployment is made of, before it lives: options of `serve` and a scenario's `deployment` end up here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/input.h"
#include "emulator/limits.h"
#include "emulator/profile.h"
#include "wire/document.h"

namespace emulator {

enum class Topology { ReplicaSet, Standalone, Sharded, LoadBalanced };

// Fresh: the oplog begins with "initiating set", so no start time is too old. Rolled: it no longer does.
enum class OplogStart { Fresh, Rolled };

// On: who has not logged in may do next to nothing, and who has what its roles allow.
enum class Authentication { Off, On };

// A user that the deployment is born with: root on admin.
struct RootUser {
  std::string name;
  std::string password;
};

// Whether clients come over TLS: what its URI says of it.
enum class Transport { Plain, Tls };

struct DeploymentSpec {
  std::string profile{default_profile};
  Topology topology = Topology::ReplicaSet;
  std::string set_name = "rs0";
  std::vector<std::string> members{"a"};  // the first is primary
  std::uint64_t seed = 1;
  std::optional<SystemTime> held_clock;  // nullopt: runs with the system's
  std::string advertise;                 // host or host:port that hello tells clients; empty: the address they came to
  OplogStart oplog_start = OplogStart::Fresh;
  std::size_t oplog_bytes = oplog_bytes_default;
  std::size_t store_bytes = store_bytes_default;
  std::size_t image_bytes = image_bytes_default;
  std::size_t event_bytes_max = document_internal_bytes_max;  // the 16 MB of events, in small
  std::size_t cursors_max = cursors_default;
  std::size_t connections_max = connections_default;
  std::map<std::string, wire::Value> parameters;  // --set NAME=VALUE: server parameters
  Authentication authentication = Authentication::Off;
  std::vector<RootUser> users;
  Transport transport = Transport::Plain;
};

}  // namespace emulator
