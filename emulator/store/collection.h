// One collection: documents as chains of versions, in record order, with their indexes. Knows no commands and no oplog.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/oplog.h"
#include "emulator/random.h"
#include "wire/document.h"

namespace emulator {

using RecordId = std::int64_t;
// Numbers open transactions from 1; 0: none.
using TransactionId = std::uint64_t;

// What a reader may see: versions committed at or before `at`, and those of its own transaction.
struct ReadView {
  wire::Timestamp at{0xFFFFFFFFU, 0xFFFFFFFFU};
  TransactionId own = 0;
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

struct IndexSpec {
  std::string name;
  wire::Document key;   // {a: 1, b: -1}
  wire::Document spec;  // as listIndexes shows it: {v: 2, key, name, …}
  bool unique = false;
  bool sparse = false;
  wire::Document partial_filter;  // default: none
};

enum class CollectionKind { Ordinary, View, TimeSeries };

class Collection {
 public:
  Collection(OplogNamespacePtr identity, wire::Document options);
  ~Collection();

  const OplogNamespacePtr& identity() const { return identity_; }
  const Uuid& uuid() const { return identity_->uuid; }
  // As create got them, without `create`: capped, size, max, changeStreamPreAndPostImages, viewOn, …
  const wire::Document& options() const { return options_; }
  void set_options(wire::Document options);
  void rename(OplogNamespacePtr identity) { identity_ = std::move(identity); }
  CollectionKind kind() const { return kind_; }
  bool capped() const { return capped_; }
  bool images_enabled() const { return images_enabled_; }

  // The document with that `_id` (compared as MongoDB compares: 1 == 1.0), or a default document.
  wire::Document find_by_id(wire::ValueView id, const ReadView& view) const;
  std::optional<RecordId> record_of_id(wire::ValueView id, const ReadView& view) const;
  wire::Document read(RecordId record, const ReadView& view) const;
  // Visits visible documents in record order, from the first after `after`, while `visit` returns true.
  template <class Visit>
  void scan(RecordId after, const ReadView& view, Visit&& visit) const {
    for (std::size_t i = first_slot_after(after); i < slots_.size(); ++i)
      if (const wire::Document* document = visible(slots_[i], view))
        if (!visit(slots_[i].record, *document)) return;
  }
  // Numbers of documents and bytes that the latest committed state has.
  std::int64_t count() const { return count_; }
  std::int64_t data_bytes() const { return data_bytes_; }

 private:
  friend class Writer;
  std::size_t first_slot_after(RecordId after) const;
  static const wire::Document* visible(const Slot& slot, const ReadView& view);

  OplogNamespacePtr identity_;
  wire::Document options_;
  CollectionKind kind_ = CollectionKind::Ordinary;
  bool capped_ = false;
  bool images_enabled_ = false;
  std::vector<Slot> slots_;  // ascending record ids; a slot whose newest version is a committed deletion is a tombstone
  RecordId next_record_ = 1;
  std::unordered_multimap<std::size_t, RecordId> by_id_;  // hash_value(_id) → record
  std::vector<IndexSpec> indexes_;
  std::int64_t count_ = 0;
  std::int64_t data_bytes_ = 0;
};

}  // namespace emulator
