// A member of the set: a window and a position over the deployment's one oplog, and a role. Knows no connections.
#pragma once

#include <cstdint>
#include <string>

#include "emulator/input.h"
#include "emulator/oplog.h"

namespace emulator {

enum class Role { Primary, Secondary, Arbiter, Startup, Recovering, Down };

struct Member {
  MemberId id{};
  std::string name;  // "a": as scenarios name it
  std::string host;  // where it listens
  std::uint16_t port = 0;
  Role role = Role::Secondary;
  OplogPosition first = 0;     // its oplog begins here (an added member's: at its initial sync)
  OplogPosition position = 0;  // one past the last entry it has
  bool hidden = false;
  bool lagging = false;
  std::int64_t topology_counter = 6;
  std::string address() const { return host + ":" + std::to_string(port); }
};

}  // namespace emulator
