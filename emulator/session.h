// Logical sessions by their lsid: last use, the retryable write done last, and the transaction under way. Knows no cursors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "emulator/transaction.h"
#include "wire/document.h"

namespace emulator {

class Context;

// What a statement of a retryable write came to: enough to answer it again.
struct StatementOutcome {
  std::int32_t n = 0;
  std::int32_t modified = 0;
  wire::Value upserted;   // the `_id` of an upsert that inserted
  wire::Document answer;  // findAndModify: its whole answer
};

struct Session {
  wire::Document lsid;  // {id, uid} as the oplog and events show it
  std::int64_t last_used_ms = 0;
  std::int64_t txn_number = -1;  // the newest one seen; -1: none yet
  // Of the retryable write `txn_number`: its statements that were done, and the last entry that one of them made.
  std::map<std::int32_t, StatementOutcome> statements;
  wire::Timestamp last_write{};
  std::int64_t last_write_term = -1;
  // The transaction `txn_number`, under way or over; nullptr: it is a retryable write, or nothing.
  std::unique_ptr<Transaction> transaction;
};

class SessionTable {
 public:
  // The session of that lsid.id; made at its first use.
  Session& use(wire::DocumentView lsid, std::int64_t wall_ms);
  Session* find(wire::DocumentView lsid);
  void end(wire::DocumentView lsid);
  std::size_t size() const { return sessions_.size(); }
  std::map<std::string, Session>& all() { return sessions_; }
  const std::map<std::string, Session>& all() const { return sessions_; }
  TransactionId next_transaction() { return ++open_transactions_, ++last_transaction_; }
  void transaction_ended() { --open_transactions_; }
  std::size_t open_transactions() const { return open_transactions_; }

 private:
  std::map<std::string, Session> sessions_;  // by the bytes of lsid.id
  TransactionId last_transaction_ = 0;
  std::size_t open_transactions_ = 0;
};

// Before a command runs: its session is used (made when new), its txnNumber and autocommit are checked against the session, a
// transaction is begun or continued. Sets the context's session and transaction. Throws CommandError as mongod does.
void enter_session(Context& context);
// After a command failed: the transaction it ran in is aborted.
void fail_session(Context& context);
// {id, uid} with the uid of an unauthenticated user, the SHA-256 of nothing.
wire::Document full_lsid(wire::DocumentView lsid);

}  // namespace emulator
