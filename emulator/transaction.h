// Multi-document transactions: what they wrote and have not committed, and how that becomes one time in the oplog.
// Knows no commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/oplog.h"
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
  TransactionState state = TransactionState::InProgress;
  wire::Timestamp snapshot{};  // what it reads as of; held in the store until it is over
  std::vector<TransactionOperation> operations;
  std::vector<std::pair<Uuid, RecordId>> records;    // those it wrote, for commit and abort
  std::vector<std::unique_ptr<Collection>> created;  // collections nobody else sees yet
  wire::Timestamp last_entry{};                      // prepared: its prepare time
  bool is_open() const { return state == TransactionState::InProgress || state == TransactionState::Prepared; }
  ReadView view() const { return {snapshot, id}; }
};

// Begins `number` in the session; one that is open there is aborted.
Transaction& begin_transaction(Deployment& deployment, Session& session, std::int64_t number);
// Writes its operations into the oplog under `prepare: true`; returns the prepare time.
wire::Timestamp prepare_transaction(Deployment& deployment, Session& session, Now now);
// Makes its writes everybody's, at one time: applyOps entries, pre-images, commit times. Returns that time; nullopt: it wrote
// nothing.
std::optional<wire::Timestamp> commit_transaction(Deployment& deployment, Session& session, Now now);
void abort_transaction(Deployment& deployment, Session& session);

// The collection as the request's transaction sees it, those it created included; nullptr: there is none.
Collection* find_collection(const Context& context, std::string_view db, std::string_view collection);

// {applyOps: […]} of these operations, as an oplog entry's `o`.
wire::Document apply_ops_document(std::span<const TransactionOperation> operations, const OplogFacts& facts);

}  // namespace emulator
