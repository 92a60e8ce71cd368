// One batch of a change stream while it is filled: its limits, its events, and what its post-batch token will need.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "emulator/change_stream.h"
#include "emulator/limits.h"

namespace emulator {

struct ChangeStream::Reading {
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

  Reading(const BatchEdit& batch_edit, std::int64_t events_max) : edit(batch_edit), limit(events_max) {
    if (edit.events_max) limit = std::min<std::int64_t>(limit, *edit.events_max);
  }

  const BatchEdit& edit;
  std::int64_t limit;
  bool cut = false;          // something more was there, but no room for it
  bool reached_end = false;  // nothing more was there
  bool invalidated = false;  // the invalidate has been returned before: the cursor ends
  wire::Document invalidate_token;
  const OplogNamespace* last_ns = nullptr;
  bool last_ns_is_shown = false;

  bool full() const { return cut || static_cast<std::int64_t>(events_.size()) >= limit; }
  bool has_events() const { return !events_.empty(); }
  std::size_t events_left() const { return static_cast<std::size_t>(limit) - events_.size(); }
  // The first event always has room; then the batch ends before 16 MB.
  bool has_room(std::size_t event_bytes, std::size_t bytes_before_it = 0) const {
    const std::size_t taken = bytes_ + bytes_before_it;
    return taken == 0 || taken + event_bytes <= batch_bytes_max;
  }

  // Entries of one segment from `position` on, which `by` can write; together they take `events_bytes`.
  void add(const Oplog& oplog, OplogPosition position, std::size_t count, const EventTemplate& by,
           std::size_t events_bytes) {
    range().add(oplog, position, count, by, events_bytes);
    bytes_ += events_bytes;
    events_.append(position, count);
    last_entry_ = &oplog.at(position + count - 1);
    last_by_ = &by;
  }

  void add(wire::Document document, const EventReference& reference, wire::Document token, wire::Timestamp time) {
    bytes_ += document.size();
    if (range_ != nullptr)
      range_->add(std::move(document));
    else
      documents_.push_back(std::move(document));
    events_.push_back(reference);
    last_entry_ = nullptr;
    last_token_ = std::move(token);
    last_time_ = time;
  }

  wire::Timestamp last_time() const { return last_entry_ != nullptr ? last_entry_->time : last_time_; }
  wire::Document last_token() const { return last_entry_ != nullptr ? last_by_->token(*last_entry_) : last_token_; }

  void give_to(StreamBatch& batch, const EventTemplates& templates) {
    batch.events = std::move(events_);
    if (range_ != nullptr) {
      range_->keep(templates.keep_alive());
      batch.rendered = std::move(range_);
    } else {
      batch.documents = std::move(documents_);
    }
  }

 private:
  EventRange& range() {
    if (range_ == nullptr) {
      range_ = std::make_shared<EventRange>();
      for (wire::Document& document : documents_) range_->add(std::move(document));
      documents_.clear();
    }
    return *range_;
  }

  EventReferences events_;
  std::vector<wire::Document> documents_;
  std::shared_ptr<EventRange> range_;
  std::size_t bytes_ = 0;
  const OplogEntry* last_entry_ = nullptr;
  const EventTemplate* last_by_ = nullptr;
  wire::Document last_token_;
  wire::Timestamp last_time_{};
};

}  // namespace emulator
