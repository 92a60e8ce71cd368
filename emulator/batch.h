// One batch of a change stream, as references into the oplog or as documents, before it is bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/oplog.h"
#include "wire/document.h"
#include "wire/payload.h"

namespace emulator {

// Which event stands where in a batch: its oplog position and its index in the entry's transaction (0 outside).
struct EventReference {
  OplogPosition position = 0;
  std::int32_t transaction_index = 0;
  std::int32_t kind = 0;  // 0 event, 1 its invalidate, 2+n fragment n
};

struct StreamBatch {
  std::string_view field = "nextBatch";  // or "firstBatch"
  std::int64_t cursor = 0;               // 0 once closed
  std::string ns;                        // "db.coll", "db.$cmd.aggregate"
  wire::Document post_batch_token;       // {_data: …}
  bool invalidated = false;
  std::vector<EventReference> events;
  // Exactly one of these holds the events' bytes.
  std::vector<wire::Document> documents;           // events that were built (pipeline, images)
  std::shared_ptr<const wire::Rendered> rendered;  // elements of the array ("0": {…}, "1": …), written when pulled
};

// What faults do to the reading of a stream (SCENARIOS.md: batch, freezeToken, neverWait, silent, duplicate, …).
struct BatchEdit {
  std::optional<int> events_max;
  bool freeze_token = false;
  bool never_wait = false;
  bool silent = false;
  std::vector<wire::Document> duplicate;  // events sent again at the head
  std::vector<EventReference> drop;
  std::vector<EventReference> without_id;
  std::vector<EventReference> order;
  bool any() const {
    return events_max || freeze_token || never_wait || silent || !duplicate.empty() || !drop.empty() ||
           !without_id.empty() || !order.empty();
  }
};

}  // namespace emulator
