// A request that waits, as data: what for, until when, and how it goes on. The Engine holds it; GET state can list it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "emulator/input.h"

namespace emulator {

class Context;

// What is waited for. Database empty: the whole cluster; collection empty: the whole database.
struct WaitForOplog {
  std::string db;
  std::string collection;
};
struct WaitForTopology {};
struct WaitForHold {
  std::uint64_t fault = 0;
};
// Only the deadline ends it (a delay).
struct WaitForTime {};
// That this open transaction ends: it holds what a write outside of it needs.
struct WaitForTransaction {
  std::uint64_t transaction = 0;
};
// That a fail point is entered.
struct WaitForFailPoint {};
using WaitFor =
    std::variant<WaitForOplog, WaitForTopology, WaitForHold, WaitForTime, WaitForTransaction, WaitForFailPoint>;

enum class WakeReason {
  Changed,  // what was waited for may have happened
  Expired,  // the deadline has come
  Killed,   // the cursor or operation was killed: resume throws or answers
};

struct Replied {};
struct NoReply {};
struct Outcome;

// Values a waiting command keeps; no captures, so that a wait can be listed.
struct WaitState {
  std::int64_t cursor = 0;
  std::int64_t number = 0;
  int kill_code = 0;  // set by the Engine before resume(…, Killed)
};

struct Wait {
  RealTime deadline{};  // in waited time (Clock::waited)
  WaitFor what;
  // Goes on with the same request; a Wait again: waits on (its deadline and scope replace the old ones).
  Outcome (*resume)(Context&, WaitState&, WakeReason) = nullptr;
  WaitState state;
};

// What running (or resuming) a command comes to.
struct Outcome : std::variant<Replied, NoReply, Wait> {
  using variant::variant;
};

}  // namespace emulator
