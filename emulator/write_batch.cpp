// Batched inserts: from 8.0 on, the documents of one insert command are one applyOps entry. Its events share their time, have
// rising txnOpIndexes and, being no transaction, no session.
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
  std::optional<wire::Timestamp> time;  // of the entry to come; taken by the first insert
  std::vector<TransactionOperation> operations;
  std::vector<std::int32_t> statements;
  std::size_t bytes = 0;
};

void Writer::begin_insert_group(std::size_t documents) {
  grouped_ = retryable_ && documents > 1 && !enter_transactional_write(context_);
}

void Writer::begin_insert_batch() {
  if (deployment_.profile.oplog.batched_inserts && transaction_ == nullptr) batch_ = std::make_shared<InsertBatch>();
}

void Writer::finish_insert_batch() {
  if (batch_ == nullptr) return;
  flush_insert_batch();
  batch_.reset();
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

wire::Timestamp Writer::log_batched(OplogNamespacePtr ns, wire::Document o, wire::Document o2) {
  const std::size_t bytes = o.size();
  if (!batch_->operations.empty() &&
      (batch_->operations.size() == insert_group_documents_max || batch_->bytes + bytes > insert_group_bytes_max))
    flush_insert_batch();
  if (!batch_->time) batch_->time = deployment_.tick(context_.now);
  batch_->operations.push_back({Op::Insert, std::move(ns), std::move(o), std::move(o2), {}});
  batch_->statements.push_back(statement_);
  batch_->bytes += bytes;
  last_time_ = batch_->time;
  return *batch_->time;
}

void Writer::flush_insert_batch() {
  const InsertBatch batch = std::exchange(*batch_, {});
  if (!batch.time) return;
  OplogEntry entry;
  if (batch.operations.size() == 1) {
    entry.op = Op::Insert;
    entry.ns = batch.operations[0].ns;
    entry.has_uuid = true;
    entry.o = batch.operations[0].o;
    entry.o2 = batch.operations[0].o2;
  } else {
    entry.op = Op::Command;
    entry.ns = std::make_shared<OplogNamespace>(OplogNamespace{"admin", "$cmd", {}});
    entry.o = apply_ops_document(batch.operations, deployment_.profile.oplog);
  }
  if (retryable_) {
    const bool several = batch.operations.size() > 1;
    auto extra = retryable_extra(several ? std::vector<std::int32_t>() : batch.statements);
    if (several) extra->multi_op_type = applied_separately;
    entry.extra = std::move(extra);
  }
  deployment_.append_at(std::move(entry), *batch.time, context_.now);
  if (!retryable_) return;
  session_->last_write = *batch.time;
  session_->last_write_term = deployment_.term;
}

}  // namespace emulator
