// A write outside of transactions that meets what an open transaction holds: it waits until that is over, and goes on where it
// stopped. Knows no commands.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/session.h"
#include "wire/document.h"

namespace emulator {

// Thrown by what would write, caught in dispatch, which makes it a Wait (the server's writeConflictRetry loop and lock queues).
struct Blocked {
  TransactionId by = 0;
};

// What a command of several statements has done before it was blocked.
struct WriteProgress {
  std::int32_t next = 0;  // the statement that was blocked; those before it are over
  StatementOutcome partial;
  std::set<RecordId> written;  // the records that statement has written already
  std::int32_t n = 0;
  std::int32_t modified = 0;
  std::vector<std::pair<std::int32_t, wire::Value>> upserted;
  std::vector<std::pair<std::int32_t, CommandError>> errors;
  std::vector<std::int32_t> retried;
  std::optional<wire::Timestamp> last_time;
};

}  // namespace emulator
