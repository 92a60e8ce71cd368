// Fast events: an insert, replacement or deletion of a known collection is written straight into the reply, by a template that the
// builder of events itself made from a sample. Knows no streams.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/change_event.h"
#include "emulator/oplog.h"
#include "wire/payload.h"
#include "wire/resume_token.h"

namespace emulator {

// Events of one collection and one operation type, all but token, times, document and document key prepared.
class EventTemplate {
 public:
  EventTemplate(EventKind kind, const OplogNamespace& ns, const EventForm& form);

  struct Measured {
    std::size_t bytes = 0;  // the event's exact size; 0: this entry needs the builder (an unusual document key)
    wire::SimpleKey key;    // a view of the entry
  };
  Measured measure(const OplogEntry& entry) const;
  // Writes measured.bytes, which must not be 0; returns the end.
  std::uint8_t* write(std::uint8_t* out, const OplogEntry& entry, const Measured& measured) const;
  // The event's token by itself; measure(entry).bytes must not be 0.
  wire::Document token(const OplogEntry& entry) const;

 private:
  enum class Slot { Token, ClusterTime, WallTime, Document, DocumentKey };
  struct Part {
    std::string constant;  // bytes before the slot
    Slot slot;
  };
  EventKind kind_;
  wire::EventTokenTemplate token_;
  std::vector<Part> parts_;
  std::string rest_;                // bytes after the last slot
  std::size_t constant_bytes_ = 0;  // all but token, document and document key
  bool has_document_ = false;
};

// The templates that a stream has met, by namespace and operation.
class EventTemplates {
 public:
  // nullptr: this entry cannot be written by a template. `version` and `form` must not change over the life of the object.
  const EventTemplate* find(const OplogEntry& entry, const EventForm& form);

 private:
  struct OfNamespace {
    OplogNamespacePtr ns;  // keeps the address from being used again
    std::unique_ptr<EventTemplate> insert;
    std::unique_ptr<EventTemplate> replace;
    std::unique_ptr<EventTemplate> remove;
  };
  std::unordered_map<const OplogNamespace*, std::shared_ptr<OfNamespace>> by_namespace_;
  const OplogNamespace* last_ns_ = nullptr;
  OfNamespace* last_ = nullptr;

 public:
  // Keeps every template made so far alive, as long as events that use them are on their way.
  std::vector<std::shared_ptr<const void>> keep_alive() const;
};

// The events of a batch, as elements of the reply's array: rendered from oplog entries while the client reads, or built before.
class EventRange final : public wire::Rendered {
 public:
  // Entries of one segment from `position` on; `events_bytes`: what `by` measures of them, together.
  void add(const Oplog& oplog, OplogPosition position, std::size_t count, const EventTemplate& by,
           std::size_t events_bytes);
  void add(wire::Document document);
  void keep(std::vector<std::shared_ptr<const void>> alive) { alive_ = std::move(alive); }
  std::size_t count() const { return count_; }
  std::size_t size() const override { return bytes_; }
  std::unique_ptr<wire::RenderCursor> cursor() const override;

 private:
  class Cursor;
  // Entries of one segment, or documents, one after the other.
  struct Run {
    const OplogEntry* first;  // nullptr: documents
    const EventTemplate* by;
    std::size_t count;
  };

  void grow(std::size_t count, std::size_t events_bytes);
  std::vector<Run> runs_;
  std::size_t count_ = 0;
  std::vector<wire::Document> documents_;
  std::vector<Oplog::SegmentPtr> segments_;
  std::vector<std::shared_ptr<const void>> alive_;
  std::size_t bytes_ = 0;
};

}  // namespace emulator
