// What a fault does to one request that FaultPlan gave it: edits of the arrival, the batch, the reply, the delivery.
// Knows nothing of when.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/batch.h"
#include "emulator/command_error.h"
#include "wire/document.h"

namespace emulator {

// Arrival: unrun. Reply: run, reply unsent. End: reply sent.
enum class Moment { Arrival, Reply, End };

// What becomes of the request after its delay and holds.
enum class Decision {
  None,       // it runs; its reply leaves
  Error,      // `error` instead
  Answer,     // `answer` instead
  Close,      // FIN without a reply; what was ready before is sent
  Reset,      // RST, nothing more is sent
  Blackhole,  // never answered, the connection stays
};

// Whether the cursor of a stream survives an error on its getMore. Kept: it was not even looked up, as by failCommand, so labels
// that need it are not computed (facts §7.2). Gone: labels as for an error while reading; the cursor is freed.
enum class CursorFate { Gone, Kept };

// Before the request runs.
struct Arrival {
  std::chrono::nanoseconds delay{};  // in waited time
  bool held = false;                 // FaultPlan::held_by says by whom
  Decision decision = Decision::None;
  std::optional<CommandError> error;
  wire::Document answer;  // sent whole as it is
  CursorFate cursor = CursorFate::Gone;
};

// Dotted fields of the whole reply document.
struct ReplyEdit {
  std::vector<std::pair<std::string, wire::Value>> set;
  std::vector<std::string> unset;
};

// When the reply is ready.
struct ReplyVerdict {
  Decision decision = Decision::None;  // Error or Answer: instead of the reply. How it leaves is Delivery's
  std::optional<CommandError> error;
  wire::Document answer;
  CursorFate cursor = CursorFate::Gone;
  wire::Document write_concern_error;              // default: none
  std::optional<std::vector<std::string>> labels;  // beside write_concern_error: exactly these
  std::vector<ReplyEdit> edits;                    // in order, on the reply as it would be sent
  bool any() const { return decision != Decision::None || !write_concern_error.is_default() || !edits.empty(); }
};

// The reply with the edit made: sets in order (missing parents are made), then unsets. Array elements by their index.
wire::Document edited(wire::DocumentView reply, const ReplyEdit& edit);

// How a ready reply leaves.
struct Delivery {
  std::chrono::nanoseconds delay{};      // before its first byte, in waited time
  bool held = false;                     // until released (FaultPlan::held_by)
  std::optional<std::size_t> bytes_max;  // only so many bytes of it are sent
  std::vector<std::size_t> pieces;       // sizes of the first writes; the rest in one
  enum class Then {
    GoOn,
    Close,        // FIN after what is to be sent of it
    Reset,        // RST after it
    Withhold,     // nothing of it is sent, the connection stays
    CloseUnsent,  // FIN in its stead; replies before it are sent
    ResetUnsent,  // RST in its stead
  } then = Then::GoOn;
  bool ordinary() const { return delay.count() == 0 && !held && !bytes_max && pieces.empty() && then == Then::GoOn; }
};

class Fault {
 public:
  Fault() = default;
  Fault(const Fault&) = delete;
  Fault& operator=(const Fault&) = delete;
  virtual ~Fault() = default;

  // The first moment it acts at: when FaultPlan asks.
  virtual Moment moment() const = 0;
  // It edits how a stream is read, so it is asked before that.
  virtual bool edits_batch() const { return false; }
  // It takes the request: later faults neither see nor count it.
  virtual bool decides() const { return false; }
  virtual bool holds() const { return false; }
  // Injected while a matching request waits, it ends the wait.
  virtual bool ends_wait() const { return false; }
  // `nth` of the requests that this injection took, from 0.
  virtual void arrive(Arrival&) const {}
  virtual void batch(BatchEdit&, std::uint64_t /*nth*/) const {}
  virtual void reply(ReplyVerdict&) const {}
  virtual void deliver(Delivery&) const {}
  // How many requests it is good for at most (batch: one a size); nullopt: as injected.
  virtual std::optional<std::uint64_t> times_max() const { return std::nullopt; }
};

}  // namespace emulator
