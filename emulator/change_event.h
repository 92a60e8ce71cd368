// A change event before it is a document: what oplog entries mean to a stream, and the one builder of event documents and tokens.
// Knows no cursors and no pipelines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/batch.h"
#include "emulator/oplog.h"
#include "emulator/profile.h"
#include "emulator/update_description.h"
#include "wire/document.h"
#include "wire/resume_token.h"

namespace emulator {

enum class EventKind {
  Insert,
  Update,
  Replace,
  Delete,
  Drop,
  Rename,
  DropDatabase,
  Invalidate,
  Create,
  CreateIndexes,
  DropIndexes,
  Modify,
  ShardCollection,
  RefineCollectionShardKey,
  ReshardCollection,
  Scripted,  // no write made it (the step `event`): shown as `document` has it
};

// "insert", "update", …: operationType.
std::string_view operation_type(EventKind kind);
// Shown without showExpandedEvents.
bool is_classic(EventKind kind);

// An image as the event shall show it. Absent: no field. Null: the field is null (there is none). Present: the document.
struct Image {
  enum class State { Absent, Null, Present } state = State::Absent;
  wire::Document document;
  static Image null() { return {State::Null, {}}; }
  static Image of(wire::Document shown) { return {State::Present, std::move(shown)}; }
};

struct ChangeEvent {
  EventKind kind = EventKind::Insert;
  EventKind caused_by = EventKind::Drop;  // of an invalidate: the event before it
  wire::Timestamp time;
  std::int64_t wall_ms = 0;
  std::string db;
  std::string collection;  // empty: dropDatabase
  std::optional<Uuid> uuid;
  std::int64_t transaction_index = 0;
  // Its pre-image is kept under the time of the applyOps entry that holds the operation, and the index in that entry.
  wire::Timestamp image_time;
  std::int64_t image_index = 0;
  wire::Document document_key;           // of insert, update, replace, delete
  wire::Document document;               // insert, replace: the new one
  wire::Document diff;                   // update from 5.0 on: as in the oplog
  wire::Document set_and_unset;          // update up to 4.4: the entry's {$v: 1, $set: …, $unset: …}
  wire::Document operation_description;  // DDL events that have one
  wire::Document state_before_change;    // modify of a collection
  std::string to_db;                     // rename
  std::string to_collection;
  wire::Document lsid;  // of a transaction's events
  std::int64_t txn_number = -1;
  bool on_view = false;  // an event of a view: no collectionUUID
  Image full_document;   // update: a look-up or post-image
  Image before_change;
  EventReference reference;
  bool is_write() const { return kind <= EventKind::Delete; }
};

// What a stream wants in its events.
struct EventForm {
  const Profile* profile = nullptr;
  int token_version = 1;
  bool expanded = false;    // showExpandedEvents
  bool raw_update = false;  // showRawUpdateDescription
};

// An entry that no write made: it carries {scriptedEvent: DOCUMENT} for the streams of its namespace.
OplogEntry scripted_entry(OplogNamespacePtr ns, wire::DocumentView document);
bool is_scripted(const OplogEntry& entry);
// The event that an entry outside transactions means; nullopt for no-ops and commands that are no events.
std::optional<ChangeEvent> event_of(const OplogEntry& entry, OplogPosition position);
// The events that the entry at `position` means, in order, whatever the stream. The last entry of a transaction means all of its
// operations, those of the entries before it too. Throws CommandError 286 when some of these have left the oplog.
std::vector<ChangeEvent> events_of(const Oplog& oplog, OplogPosition position);
// The invalidate that follows `cause`.
ChangeEvent invalidate_after(const ChangeEvent& cause);

wire::ResumeToken event_token(const ChangeEvent& event, int token_version);
wire::Document build_event(const ChangeEvent& event, const EventForm& form);

}  // namespace emulator
