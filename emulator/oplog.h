// The deployment's one oplog: entries in order of cluster time, cut off at the old end. Entries are structs that share the
// stored documents; the BSON of local.oplog.rs is made when it is read (oplog_document). Knows no streams.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emulator/random.h"
#include "wire/document.h"

namespace emulator {

struct OplogFacts;

// A collection's identity as entries name it: fixed for ever; a rename makes a new one with the same uuid.
struct OplogNamespace {
  std::string db;
  std::string collection;
  Uuid uuid{};
  std::string full() const { return db + "." + collection; }
};
using OplogNamespacePtr = std::shared_ptr<const OplogNamespace>;

enum class Op : char { Insert = 'i', Update = 'u', Delete = 'd', Command = 'c', Noop = 'n' };

// What only some entries carry (transactions, retryable writes).
struct OplogExtra {
  wire::Document lsid;  // {id, uid}; default: none
  std::int64_t txn_number = -1;
  std::vector<std::int32_t> statement_ids;
  std::optional<wire::Timestamp> previous_time;  // prevOpTime.ts; Timestamp(0,0) for the first entry of a chain
  std::int64_t previous_term = -1;
  std::string needs_retry_image;  // "preImage", "postImage" or empty
  std::optional<wire::Timestamp>
      image_time;  // preImageOpTime or postImageOpTime: of the no-op entry that holds the image
  bool image_is_post = false;
  std::optional<std::int32_t> multi_op_type;
};

struct OplogEntry {
  wire::Timestamp time;
  std::int64_t wall_ms = 0;
  OplogNamespacePtr
      ns;  // null for no-ops; for commands: the collection it is about (uuid), or db with collection "$cmd"
  // Insert: the stored document. Update: {$v: 2, diff} or the replacement. Delete: the document key. Command, no-op: as in the oplog.
  wire::Document o;
  // Update: the document key. Commands: o2 where they have one. Insert: none (it is the `_id` of o).
  wire::Document o2;
  std::shared_ptr<const OplogExtra> extra;
  std::int32_t term = 1;
  Op op = Op::Noop;
  bool has_uuid = false;  // whether the entry says `ui`
};

// Positions count all entries ever appended, from 0: they stay valid when old entries go.
using OplogPosition = std::uint64_t;

class Oplog {
 public:
  static constexpr std::size_t segment_entries = 1024;
  // Entries never move once appended; a range of them is kept alive by holding its segments.
  struct Segment {
    OplogPosition first = 0;
    std::vector<OplogEntry> entries;
  };
  using SegmentPtr = std::shared_ptr<const Segment>;

  // Appends; `entry.time` must be later than last_time().
  OplogPosition append(OplogEntry entry);
  const OplogEntry& at(OplogPosition position) const;
  OplogPosition first() const { return first_; }
  OplogPosition end() const { return end_; }
  bool empty() const { return first_ == end_; }
  wire::Timestamp first_time() const;
  wire::Timestamp last_time() const { return last_time_; }
  // The first position whose time is >= `time` (end() if none).
  OplogPosition lower_bound(wire::Timestamp time) const;
  // Drops everything before `position`.
  void truncate(OplogPosition position);
  // An estimate of what the entries would weigh as BSON; the bound --oplog-bytes is on this.
  std::size_t bytes() const { return bytes_; }
  SegmentPtr segment(OplogPosition position) const;
  // The entries from there to the end of their segment.
  std::span<const OplogEntry> side_by_side(OplogPosition position) const;

 private:
  static std::size_t weight(const OplogEntry& entry);
  std::deque<std::shared_ptr<Segment>> segments_;
  OplogPosition first_ = 0;
  OplogPosition end_ = 0;
  wire::Timestamp last_time_{};
  std::size_t bytes_ = 0;
};

// The entry as local.oplog.rs of that server shows it.
wire::Document oplog_document(const OplogEntry& entry, const OplogFacts& facts);
// {_id: …} of a stored document; for inserts the entry's document key.
wire::Document document_key(const OplogEntry& entry);

}  // namespace emulator
