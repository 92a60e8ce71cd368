// The one door through which data changes: checks, pre-images, oplog entries and versions agree because they are made here.
// Knows no commands and no query language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "emulator/command_error.h"
#include "emulator/input.h"
#include "emulator/oplog.h"
#include "emulator/profile.h"
#include "emulator/store/collection.h"
#include "wire/document.h"

namespace emulator {

class Context;
class Deployment;
struct Session;
struct Transaction;

// Why a statement failed; nullopt: it was done. What fails the whole command is thrown (112 WriteConflict).
using Failure = std::optional<CommandError>;

// 11000 as the server says it, with keyPattern and keyValue.
CommandError duplicate_key(const Collection& collection, const Conflict& conflict, Wording wording);

// What a write of findAndModify has to keep for a retry.
enum class RetryImage { None, PreImage, PostImage };

// Lives for one command.
class Writer {
 public:
  explicit Writer(const Context& context);

  // The statement of the command that is being done, for retryable writes and `stmtId`.
  void begin_statement(std::int32_t statement) {
    statement_ = statement;
    written_.clear();
  }
  // The records that the statement has written, in its order.
  const std::vector<RecordId>& written() const { return written_; }
  void keep_retry_image(RetryImage image) { retry_image_ = image; }

  // --- documents
  // `_id` is put first or generated, top-level Timestamp(0,0) is given the next cluster time.
  Failure insert(Collection& collection, wire::DocumentView document);
  // `logged`: {$v: 2, diff: …} or the replacement.
  Failure update(Collection& collection, RecordId record, wire::Document after, wire::Document logged);
  Failure remove(Collection& collection, RecordId record);
  // As insert prepares a document: what would be stored. The failure says what is wrong with it.
  Failure prepare(wire::DocumentView document, wire::Document& prepared);
  Failure insert_prepared(Collection& collection, wire::Document document);

  // Until finish_insert_batch(), inserts of ordinary collections become one entry with one time where the profile's server logs
  // them so (8.0+). As there, a batch ends with its 500th document or the one that fills 256 KiB, and begins anew after what could
  // not be tried; when one of it is refused, each of it is logged alone. `into`: nullptr: it is not there yet. What goes into a capped
  // one goes alone, with what it displaces; what goes on after it was blocked has been tried together.
  void begin_insert_batch(const Collection* into);
  void finish_insert_batch();
  void cut_insert_batch();
  void refuse_insert_batch();

  // The next `documents` inserts are one write to fail points, as the server does them together; what refuses that is met again
  // by each alone.
  void begin_insert_group(std::size_t documents);

  // --- collections. All throw CommandError.
  // The collection, created (with its oplog entry) when there is none.
  Collection& ensure(std::string_view db, std::string_view collection);
  // The caller has checked the options and that nothing has this name.
  Collection& create(std::string_view db, std::string_view collection, wire::Document options);
  void drop(Collection& collection);
  void drop_database(std::string_view db);
  enum class Target { MustBeFree, MayBeDropped };
  void rename(Collection& collection, std::string_view to_db, std::string_view to, Target target);
  // Adds those of `specs` (as listIndexes shows them); on a collection with documents by a two-phase build.
  void create_indexes(Collection& collection, const std::vector<IndexSpec>& specs);
  void drop_index(Collection& collection, const Index& index);
  // `modification`: collMod's fields after its own; `old_index_options`: of o2, default: none.
  void modify(Collection& collection, wire::DocumentView modification, wire::Document options,
              wire::Document old_index_options);

  // "tmpXXXXX", for a collection that is renamed when it is whole.
  std::string passing_name();

  // What this writer reads by.
  const ReadView& view() const { return view_; }
  Transaction* transaction() const { return transaction_; }
  Session* session() const { return session_; }
  bool is_retryable() const { return retryable_; }
  // The time of the last entry it appended; nullopt: none.
  std::optional<wire::Timestamp> last_time() const { return last_time_; }
  // The time that it had appended at before it was blocked.
  void go_on_from(std::optional<wire::Timestamp> time) { last_time_ = time; }

 private:
  Stamp stamp(wire::Timestamp time) const;
  // The failure of a conflict that is the statement's. Throws 112 inside a transaction, Blocked outside of one.
  Failure blocked(const Collection& collection, const Conflict& conflict) const;
  // Likewise, for the record as it stands.
  void require_free(const Collection& collection, RecordId record) const;
  void require_writable(const Collection& collection) const;
  Failure check_space(std::size_t bytes) const;
  // What goes beside an entry: the pre-image that its collection keeps, and what a retry of findAndModify needs.
  struct Images {
    wire::Document before;
    wire::Document for_retry;
  };
  // `after`: default for a removal.
  Images images_of(const Collection& collection, const wire::Document& before, const wire::Document& after) const;
  // Logs it: appends to the oplog and returns its time, or adds it to the transaction and returns (0,0).
  wire::Timestamp log(Op op, OplogNamespacePtr ns, wire::Document o, wire::Document o2, const Images& images);
  // Where images are no-op entries (4.4, 5.0): appends that entry and names it in `entry`.
  void log_image(OplogEntry& entry, const Images& images);
  wire::Timestamp log_command(const OplogNamespace& about, wire::Document o, wire::Document o2 = {});
  void evict_surplus(Collection& collection);
  void register_build(const Uuid& build, const Collection& collection, const std::vector<IndexSpec>& specs);
  void forget_build(const Uuid& build);

  // Whether the write is to be logged with its batch. Any other comes after what the batch has so far.
  bool joins_batch(Op op);
  wire::Timestamp log_batched(OplogNamespacePtr ns, wire::Document o, wire::Document o2);
  void count_batched(std::size_t bytes);
  Failure insert_unbatched(Collection& collection, wire::Document document);
  std::shared_ptr<OplogExtra> retryable_extra(std::vector<std::int32_t> statements) const;
  void flush_insert_batch();
  struct InsertBatch;
  // One entry of the batch's operations from `first` up to `end`.
  void append_batched(const InsertBatch& batch, std::size_t first, std::size_t end, wire::Timestamp time);

  Deployment& deployment_;
  const Context& context_;
  Session* session_ = nullptr;
  Transaction* transaction_ = nullptr;
  ReadView view_;
  std::int32_t statement_ = 0;
  bool grouped_ = false;  // fail points have let the inserts to come pass
  RetryImage retry_image_ = RetryImage::None;
  bool retryable_ = false;
  std::optional<wire::Timestamp> last_time_;
  std::vector<RecordId> written_;
  std::shared_ptr<InsertBatch> batch_;  // nullptr: every write is an entry of its own
};

// Throws 73 for a name that no collection can have.
void check_collection_name(std::string_view db, std::string_view collection, Wording wording);
// Throws 73 for one that clients may not create or write.
void check_user_writable(std::string_view db, std::string_view collection, Wording wording);

}  // namespace emulator
