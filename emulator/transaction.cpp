#include "emulator/transaction.h"

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/facts/image_facts.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/images.h"
#include "emulator/limits.h"
#include "emulator/server_parameters.h"
#include "emulator/session.h"
#include "emulator/snapshot_read.h"
#include "emulator/write_progress.h"

namespace emulator {
namespace {

// The operations that go into one applyOps entry: [first, last).
struct Share {
  std::size_t first = 0;
  std::size_t last = 0;
};

void append_operation(wire::DocumentBuilder& out, const TransactionOperation& operation, const OplogFacts& facts) {
  const char op[2] = {static_cast<char>(operation.op), 0};
  out.begin_document(out.item_name()).append_string("op", op).append_string("ns", operation.ns->full());
  out.append_binary("ui", 4, operation.ns->uuid).append_document("o", operation.o);
  if (operation.op == Op::Insert && operation.o2.is_default() && facts.entry_form >= OplogFacts::EntryForm::V6_0)
    out.begin_document("o2").append("_id", operation.o["_id"]).end();
  else if (!operation.o2.is_default())
    out.append_document("o2", operation.o2);
  if (operation.image_time)
    out.begin_document("preImageOpTime")
        .append_timestamp("ts", *operation.image_time)
        .append_int64("t", operation.image_term)
        .end();
  out.end();
}

// As many operations an entry as 16 MB take (kMaxTransactionOperations… BSONObjMaxUserSize), in order.
std::vector<Share> shares(const std::vector<TransactionOperation>& operations) {
  constexpr std::size_t frame_bytes = 100;
  std::vector<Share> out{{}};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::size_t more = operations[i].o.size() + operations[i].o2.size() + frame_bytes;
    if (bytes + more > static_cast<std::size_t>(document_bytes_max) && out.back().last > out.back().first) {
      out.push_back({i, i});
      bytes = 0;
    }
    bytes += more;
    out.back().last = i + 1;
  }
  return out;
}

enum class Phase { Commit, Prepare };

wire::Document apply_ops(const std::vector<TransactionOperation>& operations, const Share& share, Phase ending,
                         const OplogFacts& facts) {
  wire::DocumentBuilder o;
  o.append_all(apply_ops_document(std::span(operations).subspan(share.first, share.last - share.first), facts));
  const bool last = share.last == operations.size();
  if (!last) o.append_bool("partialTxn", true);
  if (last && ending == Phase::Prepare) o.append_bool("prepare", true);
  if (last && share.first > 0) o.append_int64("count", static_cast<std::int64_t>(operations.size()));
  return o.finish();
}

wire::Timestamp append_entry(Deployment& deployment, const Session& session, Transaction& transaction, wire::Document o,
                             Now now) {
  auto extra = std::make_shared<OplogExtra>();
  extra->lsid = session.lsid;
  extra->txn_number = transaction.number;
  extra->previous_time = transaction.last_entry;
  extra->previous_term = transaction.last_entry == wire::Timestamp{} ? -1 : deployment.term;
  OplogEntry entry;
  entry.op = Op::Command;
  entry.ns = std::make_shared<OplogNamespace>(OplogNamespace{"admin", "$cmd", {}});
  entry.o = std::move(o);
  entry.extra = std::move(extra);
  transaction.last_entry = deployment.append(std::move(entry), now);
  return transaction.last_entry;
}

// Each pre-image is a no-op entry before the transaction's own (4.4, 5.0).
void log_images(Deployment& deployment, Transaction& transaction, Now now) {
  for (TransactionOperation& operation : transaction.operations) {
    if (operation.pre_image.is_default()) continue;
    OplogEntry image;
    image.op = Op::Noop;
    image.ns = operation.ns;
    image.has_uuid = true;
    image.o = operation.pre_image;
    operation.image_time = deployment.append(std::move(image), now);
    operation.image_term = deployment.term;
  }
}

// Logs all operations; returns the time of the last entry.
wire::Timestamp log_operations(Deployment& deployment, const Session& session, Transaction& transaction, Phase ending,
                               Now now) {
  const bool images_are_entries = deployment.profile.images.pre_images == ImageFacts::PreImages::NoopEntries;
  if (images_are_entries) log_images(deployment, transaction, now);
  for (const Share& share : shares(transaction.operations)) {
    const wire::Timestamp time =
        append_entry(deployment, session, transaction,
                     apply_ops(transaction.operations, share, ending, deployment.profile.oplog), now);
    if (images_are_entries) continue;
    for (std::size_t i = share.first; i < share.last; ++i) {
      const TransactionOperation& operation = transaction.operations[i];
      if (operation.pre_image.is_default()) continue;
      keep_pre_image(deployment, operation.ns->uuid, time, static_cast<std::int64_t>(i - share.first),
                     operation.pre_image, deployment.clock.wall_ms(now));
    }
  }
  return transaction.last_entry;
}

void finish(Deployment& deployment, Transaction& transaction, TransactionState state) {
  transaction.state = state;
  transaction.operations.clear();
  transaction.records.clear();
  transaction.created.clear();
  deployment.store.release(transaction.snapshot);
  deployment.touch(TouchedTransaction{transaction.id});
  deployment.sessions.transaction_ended();
}

}  // namespace

wire::Document apply_ops_document(std::span<const TransactionOperation> operations, const OplogFacts& facts) {
  wire::DocumentBuilder o;
  o.begin_array("applyOps");
  for (const TransactionOperation& operation : operations) append_operation(o, operation, facts);
  o.end();
  return o.finish();
}

Transaction& begin_transaction(Deployment& deployment, Session& session, std::int64_t number, Now now) {
  abort_transaction(deployment, session);
  session.txn_number = number;
  session.statements.clear();
  session.last_write = {};
  session.last_write_term = -1;
  session.transaction = std::make_unique<Transaction>();
  Transaction& transaction = *session.transaction;
  transaction.id = deployment.sessions.next_transaction();
  transaction.number = number;
  transaction.began_ms = deployment.clock.wall_ms(now);
  transaction.snapshot = deployment.cluster_time();
  deployment.store.hold(transaction.snapshot);
  return transaction;
}

wire::Timestamp prepare_transaction(Deployment& deployment, Session& session, Now now) {
  Transaction& transaction = *session.transaction;
  if (transaction.state == TransactionState::InProgress)
    log_operations(deployment, session, transaction, Phase::Prepare, now);
  transaction.state = TransactionState::Prepared;
  return transaction.last_entry;
}

std::optional<wire::Timestamp> commit_transaction(Deployment& deployment, Session& session, Now now) {
  Transaction& transaction = *session.transaction;
  for (const std::unique_ptr<Collection>& collection : transaction.created) {
    const OplogNamespace& name = *collection->identity();
    if (deployment.store.find(name.db, name.collection) == nullptr) continue;
    abort_transaction(deployment, session);
    throw write_conflict(deployment.profile.wording);
  }
  std::optional<wire::Timestamp> time;
  if (transaction.state == TransactionState::Prepared) {
    wire::DocumentBuilder o;
    o.append_int32("commitTransaction", 1).append_timestamp("commitTimestamp", transaction.last_entry);
    time = append_entry(deployment, session, transaction, o.finish(), now);
  } else if (!transaction.operations.empty()) {
    time = log_operations(deployment, session, transaction, Phase::Commit, now);
  }
  for (std::unique_ptr<Collection>& collection : transaction.created) {
    collection->set_minimum_visible(*time);
    deployment.store.adopt(std::move(collection));
  }
  for (const auto& [uuid, record] : transaction.records)
    if (Collection* collection = deployment.store.find_uuid(uuid)) collection->commit(record, transaction.id, *time);
  finish(deployment, transaction, TransactionState::Committed);
  return time;
}

void abort_transaction(Deployment& deployment, Session& session) {
  if (session.transaction == nullptr || !session.transaction->is_open()) return;
  Transaction& transaction = *session.transaction;
  for (const auto& [uuid, record] : transaction.records)
    if (Collection* collection = deployment.store.find_uuid(uuid)) collection->abort(record, transaction.id);
  finish(deployment, transaction, TransactionState::Aborted);
}

void expire_transactions(Deployment& deployment, Now now) {
  const std::int64_t limit_ms = 1000 * server_parameter_number(deployment, "transactionLifetimeLimitSeconds");
  const std::int64_t wall_ms = deployment.clock.wall_ms(now);
  for (auto& [key, session] : deployment.sessions.all()) {
    if (session.transaction == nullptr || session.transaction->state != TransactionState::InProgress) continue;
    if (wall_ms - session.transaction->began_ms >= limit_ms) abort_transaction(deployment, session);
  }
}

CommandError write_conflict(Wording wording) {
  if (wording <= Wording::V4_2) return {112, "WriteConflict"};
  return {112,
          "WriteConflict error: this operation conflicted with another operation. Please retry your operation or "
          "multi-document transaction."};
}

void require_unused(const Deployment& deployment, std::string_view db, std::string_view collection) {
  if (deployment.sessions.open_transactions() == 0) return;
  for (const auto& [key, session] : deployment.sessions.all()) {
    if (session.transaction == nullptr || !session.transaction->is_open()) continue;
    for (const auto& [its_db, its_collection] : session.transaction->used)
      if (its_db == db && (collection.empty() || its_collection == collection)) throw Blocked{session.transaction->id};
  }
}

Collection* find_collection(const Context& context, std::string_view db, std::string_view collection) {
  if (context.transaction == nullptr) return context.deployment.store.find(db, collection);
  Transaction& transaction = *context.transaction;
  transaction.used.emplace(db, collection);
  for (const std::unique_ptr<Collection>& created : transaction.created)
    if (created->identity()->db == db && created->identity()->collection == collection) return created.get();
  Collection* found = context.deployment.store.find(db, collection);
  if (found != nullptr && found->minimum_visible() > transaction.snapshot)
    throw snapshot_unavailable(transaction.snapshot, *found);
  return found;
}

}  // namespace emulator
