// Multi-document transactions: what they wrote and have not committed, and how that becomes one time in the oplog.
// Knows no commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/oplog.h"
#include "emulator/profile.h"
#include "emulator/store/collection.h"

namespace emulator {

class Context;
class Deployment;
struct Now;
struct Session;

enum class TransactionState { InProgress, Prepared, Committed, Aborted };

// One operation of applyOps.
struct TransactionOperation {
  Op op = Op::Insert;
  OplogNamespacePtr ns;
  wire::Document o;
  wire::Document o2;
  wire::Document pre_image;  // default: none is kept
  // preImageOpTime: of the no-op entry that holds it, where there is one (4.4, 5.0).
  std::optional<wire::Timestamp> image_time{};
  std::int64_t image_term = 0;
};

struct Transaction {
  TransactionId id = 0;
  std::int64_t number = 0;
  std::int64_t began_ms = 0;  // the deployment's wall time
  TransactionState state = TransactionState::InProgress;
  wire::Timestamp snapshot{};  // what it reads as of; held in the store until it is over
  std::vector<TransactionOperation> operations;
  std::vector<std::pair<Uuid, RecordId>> records;      // those it wrote, for commit and abort
  std::vector<std::unique_ptr<Collection>> created;    // collections nobody else sees yet
  std::set<std::pair<std::string, std::string>> used;  // database and collection of all it read or wrote: intent locks
  wire::Timestamp last_entry{};                        // prepared: its prepare time
  bool is_open() const { return state == TransactionState::InProgress || state == TransactionState::Prepared; }
  ReadView view() const { return {snapshot, id}; }
};

// Begins `number` in the session; one that is open there is aborted.
Transaction& begin_transaction(Deployment& deployment, Session& session, std::int64_t number, Now now);
// Writes its operations into the oplog under `prepare: true`; returns the prepare time.
wire::Timestamp prepare_transaction(Deployment& deployment, Session& session, Now now);
// Makes its writes everybody's, at one time: applyOps entries, pre-images, commit times. Returns that time; nullopt: it wrote
// nothing.
std::optional<wire::Timestamp> commit_transaction(Deployment& deployment, Session& session, Now now);
void abort_transaction(Deployment& deployment, Session& session);
// Aborts those under way that are older than transactionLifetimeLimitSeconds; prepared ones are not.
void expire_transactions(Deployment& deployment, Now now);

// 112 in the words that every write conflict of the build has.
CommandError write_conflict(Wording wording);
// What needs a collection (empty: the database) for itself waits for the transactions that use it: throws Blocked.
void require_unused(const Deployment& deployment, std::string_view db, std::string_view collection);

// The collection as the request's transaction sees it, those it created included; nullptr: there is none. Notes that the
// transaction uses it. Throws 246 for one that is younger than the transaction's snapshot.
Collection* find_collection(const Context& context, std::string_view db, std::string_view collection);

// {applyOps: […]} of these operations, as an oplog entry's `o`.
wire::Document apply_ops_document(std::span<const TransactionOperation> operations, const OplogFacts& facts);

}  // namespace emulator
