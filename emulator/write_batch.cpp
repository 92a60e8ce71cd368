// Batched inserts: from 8.0 on, the documents of one insert command are one applyOps entry. Its events share their time, have
// rising txnOpIndexes and, being no transaction, no session.
#include <span>

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/limits.h"
#include "emulator/session.h"
#include "emulator/transaction.h"
#include "emulator/write.h"
#include "emulator/write_fail_points.h"

namespace emulator {
namespace {

// An applyOps entry whose operations are no transaction (MultiOplogEntryType::kApplyOpsAppliedSeparately).
constexpr std::int32_t applied_separately = 1;

}  // namespace

struct Writer::InsertBatch {
  // Not yet logged: of the entry to come.
  std::optional<wire::Timestamp> time;  // taken by the first insert
  std::vector<TransactionOperation> operations;
  std::vector<std::int32_t> statements;
  // Of all that was tried.
  std::size_t documents = 0;
  std::size_t bytes = 0;
  bool is_refused = false;  // one of it was

  void forget_unlogged() {
    time.reset();
    operations.clear();
    statements.clear();
  }
};

void Writer::begin_insert_group(std::size_t documents) {
  const bool is_tried = retryable_ && documents > 1;
  grouped_ = is_tried && !enter_transactional_write(context_);
  if (is_tried && !grouped_) refuse_insert_batch();
}

void Writer::begin_insert_batch(const Collection* into) {
  const bool goes_alone = (into != nullptr && into->capped()) || context_.exchange.progress != nullptr;
  if (deployment_.profile.oplog.batched_inserts && transaction_ == nullptr && !goes_alone)
    batch_ = std::make_shared<InsertBatch>();
}

void Writer::finish_insert_batch() {
  if (batch_ == nullptr) return;
  flush_insert_batch();
  batch_.reset();
}

void Writer::cut_insert_batch() {
  if (batch_ == nullptr) return;
  flush_insert_batch();
  *batch_ = {};
}

std::shared_ptr<OplogExtra> Writer::retryable_extra(std::vector<std::int32_t> statements) const {
  auto extra = std::make_shared<OplogExtra>();
  extra->lsid = session_->lsid;
  extra->txn_number = session_->txn_number;
  extra->statement_ids = std::move(statements);
  extra->previous_time = session_->last_write;
  extra->previous_term = session_->last_write_term;
  return extra;
}

bool Writer::joins_batch(Op op) {
  if (batch_ == nullptr) return false;
  if (op == Op::Insert && !batch_->is_refused) return true;
  flush_insert_batch();
  return false;
}

wire::Timestamp Writer::log_batched(OplogNamespacePtr ns, wire::Document o, wire::Document o2) {
  if (!batch_->time) batch_->time = deployment_.tick(context_.now);
  batch_->operations.push_back({Op::Insert, std::move(ns), std::move(o), std::move(o2), {}});
  batch_->statements.push_back(statement_);
  last_time_ = batch_->time;
  return *batch_->time;
}

void Writer::count_batched(std::size_t bytes) {
  if (batch_ == nullptr) return;
  batch_->bytes += bytes;
  if (++batch_->documents == insert_group_documents_max || batch_->bytes >= insert_group_bytes_max) cut_insert_batch();
}

void Writer::append_batched(const InsertBatch& batch, std::size_t first, std::size_t end, wire::Timestamp time) {
  OplogEntry entry;
  const bool several = end - first > 1;
  if (several) {
    entry.op = Op::Command;
    entry.ns = std::make_shared<OplogNamespace>(OplogNamespace{"admin", "$cmd", {}});
    entry.o = apply_ops_document(std::span(batch.operations).subspan(first, end - first), deployment_.profile.oplog);
  } else {
    entry.op = Op::Insert;
    entry.ns = batch.operations[first].ns;
    entry.has_uuid = true;
    entry.o = batch.operations[first].o;
    entry.o2 = batch.operations[first].o2;
  }
  if (retryable_) {
    auto extra = retryable_extra(several ? std::vector<std::int32_t>() : std::vector{batch.statements[first]});
    if (several) extra->multi_op_type = applied_separately;
    entry.extra = std::move(extra);
  }
  deployment_.append_at(std::move(entry), time, context_.now);
  if (!retryable_) return;
  session_->last_write = time;
  session_->last_write_term = deployment_.term;
}

void Writer::flush_insert_batch() {
  if (!batch_->time) return;
  append_batched(*batch_, 0, batch_->operations.size(), *batch_->time);
  batch_->forget_unlogged();
}

void Writer::refuse_insert_batch() {
  if (batch_ == nullptr) return;
  batch_->is_refused = true;
  // The documents stand there since the first one's time; nobody has read since.
  for (std::size_t i = 0; i < batch_->operations.size(); ++i) {
    if (i > 0) last_time_ = deployment_.tick(context_.now);
    append_batched(*batch_, i, i + 1, *last_time_);
  }
  batch_->forget_unlogged();
}

}  // namespace emulator
