// One collection: documents as chains of versions, in record order, with their indexes. Knows no commands and no oplog.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "emulator/oplog.h"
#include "emulator/random.h"
#include "emulator/store/history.h"
#include "emulator/store/id_index.h"
#include "emulator/store/index.h"
#include "wire/document.h"

namespace emulator {

// Numbers open transactions from 1; 0: none.
using TransactionId = std::uint64_t;

inline constexpr wire::Timestamp latest_time{0xFFFFFFFFU, 0xFFFFFFFFU};

// What a reader may see: versions committed at or before `at`, and those of its own transaction.
struct ReadView {
  wire::Timestamp at = latest_time;
  TransactionId own = 0;
};

// Who makes a version: a commit time, or a transaction that is still open.
struct Stamp {
  wire::Timestamp commit{};
  TransactionId owner = 0;
};

// One state of a document. `commit` is (0,0) while the transaction `owner` is open. A default document: deleted.
struct Version {
  wire::Document document;
  wire::Timestamp commit{};
  TransactionId owner = 0;
  std::unique_ptr<Version> older;
};

struct Slot {
  RecordId record = 0;
  Version newest;
};

enum class CollectionKind { Ordinary, View, TimeSeries };

// Why a document cannot be written.
enum class Obstacle { None, DuplicateKey, WriteConflict };
struct Conflict {
  Obstacle obstacle = Obstacle::None;
  const Index* index = nullptr;  // DuplicateKey: the violated index; nullptr: `_id_`
  wire::Document key;            // DuplicateKey: {field: value}, as keyValue shows it
  TransactionId owner = 0;  // WriteConflict: the open transaction in the way; 0: a commit that the view does not see
};

// What all collections of a store share: the times at which somebody may still read, the earliest of which bounds what is kept,
// and what reads of the past need.
struct Ledger {
  std::multiset<wire::Timestamp> readers;
  wire::Timestamp oldest_reader() const { return readers.empty() ? latest_time : *readers.begin(); }
  // Bytes of all documents in the store, old versions included; the history's own count is its own.
  std::size_t document_bytes = 0;
  History history;
  std::uint64_t collections = 0;  // made so far: their numbers
};

class Collection {
 public:
  Collection(OplogNamespacePtr identity, wire::Document options, Ledger& ledger);
  Collection(const Collection&) = delete;
  Collection& operator=(const Collection&) = delete;
  ~Collection();

  const OplogNamespacePtr& identity() const { return identity_; }
  // As it was called when it was made.
  const OplogNamespacePtr& first_identity() const { return first_identity_; }
  const Uuid& uuid() const { return identity_->uuid; }
  // As create got them, without `create`: capped, size, max, changeStreamPreAndPostImages, viewOn, …
  const wire::Document& options() const { return options_; }
  void set_options(wire::Document options);
  void rename(OplogNamespacePtr identity) { identity_ = std::move(identity); }
  CollectionKind kind() const { return kind_; }
  bool capped() const { return capped_; }
  std::int64_t capped_bytes() const { return capped_bytes_; }
  std::int64_t capped_documents() const { return capped_documents_; }
  bool images_enabled() const { return images_enabled_; }
  bool clustered() const { return clustered_; }
  // Since when it stands under its name: an older snapshot cannot read it (Collection::getMinimumVisibleSnapshot).
  wire::Timestamp minimum_visible() const { return minimum_visible_; }
  void set_minimum_visible(wire::Timestamp time) { minimum_visible_ = time; }

  // --- reading
  // The document with that `_id` (compared as MongoDB compares: 1 == 1.0), or a default document.
  wire::Document find_by_id(wire::ValueView id, const ReadView& view) const;
  std::optional<RecordId> record_of_id(wire::ValueView id, const ReadView& view) const;
  // A default document where the view has none.
  wire::Document read(RecordId record, const ReadView& view) const;
  // Visits visible documents in record order, from the first after `after`, while `visit` returns true. `visit` must not write.
  template <class Visit>
  void scan(RecordId after, const ReadView& view, Visit&& visit) const {
    for (std::size_t i = first_slot_after(after); i < slots_.size(); ++i)
      if (const wire::Document* document = visible(slots_[i], view))
        if (!visit(slots_[i].record, *document)) return;
  }
  // The collection as it stood at `time`, to be read with that time's view; nullptr: this one shows it to that view. `ledger` is
  // the copy's own, and outlives it. The history must reach back so far.
  std::unique_ptr<Collection> as_of(wire::Timestamp time, Ledger& ledger) const;
  // Numbers of documents and bytes that the latest committed state has.
  std::int64_t count() const { return count_; }
  std::int64_t document_bytes() const { return document_bytes_; }
  RecordId last_record() const { return next_record_ - 1; }
  // The oldest document whose going brings a capped collection nearer to its bounds; nullopt: it is within them.
  std::optional<RecordId> surplus();

  // --- writing: by the Writer, which logs what it does. `view` is the writer's.
  // Whether `document` may stand at `record` (0: a new one), judged by the indexes and by other transactions.
  Conflict check(const wire::Document& document, RecordId record, const ReadView& view) const;
  // Whether the newest version of the record belongs to, or was committed by, somebody the view does not see.
  bool conflicts(RecordId record, const ReadView& view) const;
  // The open transaction that wrote the record's newest version; 0: it is committed.
  TransactionId owner(RecordId record) const;
  RecordId insert(wire::Document document, const Stamp& stamp);
  void update(RecordId record, wire::Document document, const Stamp& stamp);
  void remove(RecordId record, const Stamp& stamp);
  void commit(RecordId record, TransactionId owner, wire::Timestamp time);
  void abort(RecordId record, TransactionId owner);
  // Forgets all documents (an unlogged clearing: dropping, rolling back).
  void clear();
  // Frees versions that nobody can read any more.
  void trim();

  // --- indexes
  const std::vector<std::unique_ptr<Index>>& indexes() const { return indexes_; }
  const Index* find_index(std::string_view name) const;
  // Fills it from the latest state. Returns what is in its way; it is not added then.
  Conflict add_index(IndexSpec spec);
  void drop_index(std::string_view name);
  // Readers of the time before do not have it.
  void set_index_ready(std::string_view name, wire::Timestamp since);
  // Replaces the spec's document (collMod: hidden, expireAfterSeconds); keys stay as they are.
  void set_index_spec(std::string_view name, wire::Document spec);

 private:
  std::size_t first_slot_after(RecordId after) const;
  const Slot* slot(RecordId record) const;
  Slot* slot(RecordId record) { return const_cast<Slot*>(std::as_const(*this).slot(record)); }
  static const wire::Document* visible(const Slot& slot, const ReadView& view);
  void write(Slot& slot, wire::Document document, const Stamp& stamp);
  void trim(Slot& slot);
  // Keeps what a committed write replaced for reads of the past.
  void remember(RecordId record, wire::Document document, wire::Timestamp from, wire::Timestamp until);
  void enter(const wire::Document& document, RecordId record);
  // Takes the keys of a version that is gone; the `_id` once the slot has no other.
  void leave(const wire::Document& document, const Slot& slot);
  void forget_dead_slots();
  void account(const wire::Document& before, const wire::Document& after);

  OplogNamespacePtr identity_;
  const OplogNamespacePtr first_identity_ = identity_;
  wire::Document options_;
  Ledger& ledger_;
  const std::uint64_t number_;  // in the history, under whatever name
  CollectionKind kind_ = CollectionKind::Ordinary;
  bool capped_ = false;
  bool images_enabled_ = false;
  bool clustered_ = false;
  wire::Timestamp minimum_visible_{};
  std::int64_t capped_bytes_ = 0;
  std::int64_t capped_documents_ = 0;
  std::vector<Slot> slots_;  // ascending record numbers; a slot whose newest version is a committed deletion is dead
  std::size_t dead_slots_ = 0;
  RecordId next_record_ = 1;
  RecordId before_oldest_ = 0;  // where the search for the oldest document begins
  IdIndex by_id_;
  std::vector<std::unique_ptr<Index>> indexes_;
  std::vector<RecordId> with_history_;  // records whose chains may be trimmed later
  std::int64_t count_ = 0;
  std::int64_t document_bytes_ = 0;
};

}  // namespace emulator
