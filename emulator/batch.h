// One batch of a change stream, as references into the oplog or as documents, before it is bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
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

// The events of a batch in their order. Ordinary events of entries in a row take the room of one, so that neither a batch
// of 16 MB nor the journal pays for each of them.
class EventReferences {
  struct Run {
    EventReference first;
    std::size_t count;  // the others follow at the next positions
  };

 public:
  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = EventReference;
    using difference_type = std::ptrdiff_t;
    using reference = EventReference;
    using pointer = void;

    Iterator() = default;
    explicit Iterator(const Run* run) : run_(run) {}
    EventReference operator*() const {
      return {run_->first.position + offset_, run_->first.transaction_index, run_->first.kind};
    }
    Iterator& operator++() {
      if (++offset_ == run_->count) {
        ++run_;
        offset_ = 0;
      }
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Run* run_ = nullptr;
    std::size_t offset_ = 0;
  };

  void push_back(const EventReference& event) { append(event, 1); }
  // Ordinary events of `count` entries in a row.
  void append(OplogPosition first, std::size_t count) { append(EventReference{.position = first}, count); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Iterator begin() const { return Iterator(runs_.data()); }
  Iterator end() const { return Iterator(runs_.data() + runs_.size()); }
  // What they hold in memory.
  std::size_t bytes() const { return runs_.size() * sizeof(Run); }

 private:
  void append(const EventReference& first, std::size_t count) {
    size_ += count;
    if (!runs_.empty() && continues(runs_.back(), first))
      runs_.back().count += count;
    else
      runs_.push_back({first, count});
  }

  static bool continues(const Run& run, const EventReference& event) {
    const EventReference& first = run.first;
    const bool ordinary = event.transaction_index == 0 && event.kind == 0;
    return ordinary && first.transaction_index == 0 && first.kind == 0 && first.position + run.count == event.position;
  }

  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

struct StreamBatch {
  std::string_view field = "nextBatch";  // or "firstBatch"
  std::int64_t cursor = 0;               // 0 once closed
  std::string ns;                        // "db.coll", "db.$cmd.aggregate"
  wire::Document post_batch_token;       // {_data: …}
  bool invalidated = false;
  EventReferences events;
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
