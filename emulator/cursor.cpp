#include "emulator/cursor.h"

#include <algorithm>

#include "emulator/authorization.h"
#include "emulator/context.h"
#include "emulator/error_codes.h"
#include "emulator/limits.h"
#include "emulator/snapshot_read.h"

namespace emulator {

Cursor& CursorTable::add(std::unique_ptr<Cursor> cursor) {
  const std::int64_t id = cursor->id;
  return *(cursors_[id] = std::move(cursor));
}

Cursor* CursorTable::find(std::int64_t id) {
  const auto at = cursors_.find(id);
  return at == cursors_.end() ? nullptr : at->second.get();
}

void CursorTable::expire(std::int64_t wall_ms, std::int64_t timeout_ms) {
  std::erase_if(cursors_, [&](const auto& entry) {
    const Cursor& cursor = *entry.second;
    return cursor.pinned_by == 0 && !cursor.no_timeout && cursor.lsid.is_default() &&
           cursor.last_used_ms + timeout_ms < wall_ms;
  });
}

namespace {

// The rest of a result that was computed when its command ran.
class DocumentCursor final : public Cursor {
 public:
  // `snapshot`: the time it was read at, if by readConcern "snapshot".
  DocumentCursor(std::vector<wire::Document> results, CursorOptions::End end, std::optional<wire::Timestamp> snapshot)
      : results_(std::move(results)), end_(end), snapshot_(snapshot) {}

  Outcome read(Context& context, const ReadRequest& request) override {
    // A server reads on at that time, and cannot once it is gone.
    if (snapshot_) require_in_history(context.deployment, *snapshot_);
    wire::DocumentBuilder& out = context.reply;
    out.begin_document("cursor").begin_array("nextBatch");
    std::size_t bytes = 0;
    std::int64_t count = 0;
    const std::int64_t limit = request.batch_size.value_or(0);
    while (at_ < results_.size() && (limit == 0 || count < limit)) {
      wire::Document& document = results_[at_];
      if (count > 0 && bytes + document.size() > batch_bytes_max) break;
      bytes += document.size();
      out.append_document(out.item_name(), document);
      document = {};
      ++at_;
      ++count;
    }
    documents_returned += count;
    const bool full = limit != 0 && count == limit;
    exhausted = at_ == results_.size() && (!full || end_ == CursorOptions::End::Known);
    out.end().append_int64("id", exhausted ? 0 : id).append_string("ns", ns());
    if (snapshot_) out.append_timestamp("atClusterTime", *snapshot_);
    out.end();
    return Replied{};
  }

 private:
  std::vector<wire::Document> results_;
  CursorOptions::End end_;
  std::optional<wire::Timestamp> snapshot_;
  std::size_t at_ = 0;
};

}  // namespace

Cursor& keep_cursor(Context& context, std::unique_ptr<Cursor> cursor, std::string_view db,
                    std::string_view collection) {
  Deployment& deployment = context.deployment;
  if (deployment.cursors.size() >= deployment.spec.cursors_max)
    throw CommandError(code::operation_failed,
                       "too many open cursors: the limit is " + std::to_string(deployment.spec.cursors_max));
  do cursor->id = deployment.cursor_ids.cursor_id();
  while (deployment.cursors.find(cursor->id) != nullptr);
  cursor->db = db;
  cursor->collection = collection;
  if (context.request.has_lsid()) cursor->lsid = wire::Document(context.request.lsid());
  cursor->txn_number = context.request.txn_number();
  cursor->command = wire::Document(context.request.body);
  cursor->member = context.member.id;
  cursor->user = current_user(context);
  cursor->last_used_ms = context.wall_ms();
  context.exchange.opened_cursor = cursor->id;
  return deployment.cursors.add(std::move(cursor));
}

void reply_with_cursor(Context& context, std::string_view db, std::string_view collection,
                       std::vector<wire::Document> results, const CursorOptions& options) {
  const std::int64_t limit = options.batch_size.value_or(first_batch_default);
  std::size_t bytes = 0;
  std::size_t count = 0;
  while (count < results.size() && static_cast<std::int64_t>(count) < limit) {
    if (count > 0 && bytes + results[count].size() > batch_bytes_max) break;
    bytes += results[count].size();
    ++count;
  }
  const auto end_of_batch = results.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<wire::Document> batch(results.begin(), end_of_batch);
  std::int64_t id = 0;
  const bool full = static_cast<std::int64_t>(count) == limit && options.end == CursorOptions::End::Unknown;
  // A find with batchSize 0 keeps its cursor even when nothing is left.
  const bool keep = !options.single_batch && (count < results.size() || full || options.batch_size == 0);
  std::optional<wire::Timestamp> snapshot;
  if (context.snapshot) snapshot = context.snapshot->time();
  if (keep) {
    results.erase(results.begin(), end_of_batch);
    auto rest = std::make_unique<DocumentCursor>(std::move(results), options.end, snapshot);
    Cursor& cursor = keep_cursor(context, std::move(rest), db, collection);
    cursor.no_timeout = options.no_timeout;
    cursor.documents_returned = static_cast<std::int64_t>(count);
    id = cursor.id;
  }
  wire::DocumentBuilder& out = context.reply;
  const auto append_batch = [&] {
    out.begin_array("firstBatch");
    for (const wire::Document& document : batch) out.append_document(out.item_name(), document);
    out.end();
  };
  out.begin_document("cursor");
  if (options.order == CursorOptions::Order::BatchFirst) append_batch();
  out.append_int64("id", id).append_string("ns", std::string(db) + "." + std::string(collection));
  if (options.order == CursorOptions::Order::BatchLast) append_batch();
  if (snapshot) out.append_timestamp("atClusterTime", *snapshot);
  out.end();
}

}  // namespace emulator
