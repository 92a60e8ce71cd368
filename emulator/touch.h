// What a change concerns, for those who wait: noted while a command or a step runs, turned into wakes at the end of the turn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "emulator/effect.h"
#include "emulator/oplog.h"

namespace emulator {

// An entry was appended: its namespace, and for commands what they name, says whom it concerns.
struct TouchedOplog {
  OplogPosition position = 0;
};
// The topology version rose.
struct TouchedTopology {};
// A waiting getMore of this cursor shall end: killCursors (237), killOp (11601), …
struct TouchedCursor {
  std::int64_t cursor = 0;
  int code = 237;
};
// A held exchange may go on.
struct TouchedHold {
  std::uint64_t fault = 0;
};
// Connections that shall be closed, after what is ready for them has been sent (or at once: Reset).
struct CloseConnection {
  ConnectionId connection{};
  Ending ending = Ending::AfterOutbox;
};
// All operations waiting on behalf of an operation id (killOp), or a session (killSessions): ended with `code`.
struct TouchedOperation {
  std::int64_t operation = 0;
  int code = 11601;
};

// An open transaction ended, one way or the other.
struct TouchedTransaction {
  std::uint64_t transaction = 0;
};
// Whatever waits on behalf of a session shall end with `code`.
struct TouchedSession {
  wire::Document lsid;
  int code = 11601;
};

// This waiting request's time is up now (a fault at its reply was injected).
struct TouchedExchange {
  std::uint64_t exchange = 0;
};

using Touch = std::variant<TouchedOplog, TouchedTopology, TouchedCursor, TouchedHold, CloseConnection, TouchedOperation,
                           TouchedTransaction, TouchedSession, TouchedExchange, Listen>;

}  // namespace emulator
