// Cursors that outlive the command that opened them: results of find and aggregate, tailable ones, change streams.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/input.h"
#include "emulator/wait.h"
#include "wire/document.h"

namespace emulator {

// What a getMore asks for, already validated.
struct ReadRequest {
  std::optional<std::int64_t> batch_size;  // nullopt or 0 in a getMore: no limit
  RealTime deadline{};                     // of waiting, in waited time
};

// Base of all cursors. The table owns them; a getMore that runs or waits has its cursor pinned.
class Cursor {
 public:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  virtual ~Cursor() = default;

  // Writes the next batch into the reply ({cursor: {nextBatch, …, id, ns}} or exchange.batch), or waits.
  // A cursor that is exhausted says so by exhausted(); getMore then frees it and the reply's id is 0.
  // Throws CommandError: the cursor is freed then.
  virtual Outcome read(Context& context, const ReadRequest& request) = 0;
  virtual bool await_data() const { return false; }
  virtual bool is_change_stream() const { return false; }

  std::int64_t id = 0;
  std::string db;
  std::string collection;  // what getMore must name: "coll", "$cmd.aggregate", "$cmd.listCollections"
  wire::Document lsid;     // default: opened without a session
  std::optional<std::int64_t> txn_number;
  wire::Document command;  // what opened it
  MemberId member{};
  std::string user;               // who opened it, as user_text; empty: nobody in particular
  std::int64_t last_used_ms = 0;  // the deployment's wall time
  bool no_timeout = false;
  bool exhausted = false;
  std::uint64_t pinned_by = 0;  // the exchange that reads it; 0: none
  std::int64_t documents_returned = 0;
  std::string ns() const { return db + "." + collection; }
};

class CursorTable {
 public:
  // Gives it an id from `id` and keeps it. `cursor->id` must be set and unused.
  Cursor& add(std::unique_ptr<Cursor> cursor);
  Cursor* find(std::int64_t id);
  // Frees it; nullptr was never there.
  void remove(std::int64_t id) { cursors_.erase(id); }
  std::size_t size() const { return cursors_.size(); }
  const std::unordered_map<std::int64_t, std::unique_ptr<Cursor>>& all() const { return cursors_; }
  // Frees those idle since before `wall_ms` − timeout that are neither pinned nor exempt (no_timeout, in a session).
  void expire(std::int64_t wall_ms, std::int64_t timeout_ms);

 private:
  std::unordered_map<std::int64_t, std::unique_ptr<Cursor>> cursors_;
};

// Options of a command that opens a cursor, read from its body: cursor.batchSize (aggregate, list*) or batchSize (find).
struct CursorOptions {
  std::optional<std::int64_t> batch_size;
  bool single_batch = false;
  bool no_timeout = false;
  // Where the batch stands in the reply's cursor: listCollections and listIndexes put it last.
  enum class Order { BatchFirst, BatchLast } order = Order::BatchFirst;
  // Unknown: that a full batch was the last one shows only when the next is asked for, so the cursor stays. Known: a limit is
  // reached, or there can be no more than one.
  enum class End { Unknown, Known } end = End::Unknown;
};

// Finishes find, aggregate, listCollections, …: writes {cursor: {firstBatch, id, ns}} with as many results as the batch takes
// (101 by default, 16 MB at most) and keeps a cursor for the rest. `collection` as Cursor::collection.
void reply_with_cursor(Context& context, std::string_view db, std::string_view collection,
                       std::vector<wire::Document> results, const CursorOptions& options);
// Registers a cursor made for this request: id, db, collection, session, member, command are filled in.
Cursor& keep_cursor(Context& context, std::unique_ptr<Cursor> cursor, std::string_view db, std::string_view collection);

}  // namespace emulator
