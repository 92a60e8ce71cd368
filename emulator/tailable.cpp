#include "emulator/tailable.h"

#include <algorithm>

#include "emulator/deployment.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/limits.h"

namespace emulator {
namespace {

// Takes results until the batch is full.
class BatchLimit {
 public:
  explicit BatchLimit(std::int64_t documents_max) : documents_max_(documents_max) {}
  bool takes(const wire::Document& document) const {
    const bool room = bytes_ == 0 || bytes_ + document.size() <= batch_bytes_max;
    return room && (documents_max_ == 0 || count_ < documents_max_);
  }
  void took(const wire::Document& document) {
    bytes_ += document.size();
    ++count_;
  }
  bool full() const { return documents_max_ != 0 && count_ >= documents_max_; }

 private:
  std::int64_t documents_max_;
  std::int64_t count_ = 0;
  std::size_t bytes_ = 0;
};

// Where what has had its time to settle ends.
OplogPosition settled_end(const Context& context, OplogPosition end) {
  const Oplog& oplog = context.deployment.oplog;
  const std::int64_t settling_ms = context.profile().oplog.settling_ms;
  while (settling_ms > 0 && end > oplog.first() && oplog.at(end - 1).wall_ms + settling_ms > context.wall_ms()) --end;
  return end;
}

}  // namespace

TailableCursor::TailableCursor(const Readable& readable, TailOptions options)
    : options_(std::move(options)), oplog_(readable.is_oplog()) {
  if (!oplog_) uuid_ = readable.collection()->uuid();
}

void TailableCursor::position_lost() const {
  const std::int64_t seen = oplog_ ? static_cast<std::int64_t>(position_) : last_record_;
  throw CommandError(
      136,
      "Executor error during getMore :: caused by :: CollectionScan died due to position in capped collection "
      "being deleted. Last seen record id: RecordId(" +
          std::to_string(seen) + ")");
}

bool TailableCursor::skips() {
  if (options_.skip == 0) return false;
  --options_.skip;
  return true;
}

// What somebody who tails has come to is there for all.
OplogPosition TailableCursor::furthest_tail(const Deployment& deployment) {
  OplogPosition furthest = 0;
  for (const auto& [id, cursor] : deployment.cursors.all())
    if (const auto* tail = dynamic_cast<const TailableCursor*>(cursor.get()); tail != nullptr && tail->oplog_)
      furthest = std::max(furthest, tail->position_);
  return furthest;
}

std::vector<wire::Document> TailableCursor::next_entries(const Context& context, std::int64_t limit) {
  const Oplog& oplog = context.deployment.oplog;
  OplogPosition end = std::min(context.member.position, oplog.end());
  if (position_ == 0) {
    const OplogPosition settled = settled_end(context, end);
    if (settled < end) end = std::max(settled, std::min(furthest_tail(context.deployment), end));
    position_ = std::max(oplog.lower_bound(lowest_time(options_.filter.filter())), context.member.first);
  } else if (position_ < oplog.first()) {
    position_lost();
  }
  std::vector<wire::Document> batch;
  BatchLimit room(limit);
  for (; position_ < end && !room.full(); ++position_) {
    wire::Document entry = oplog_document(oplog.at(position_), context.profile().oplog);
    if (!options_.filter.matches(entry) || skips()) continue;
    entry = options_.projection.apply(entry, &options_.filter);
    if (!room.takes(entry)) break;
    room.took(entry);
    batch.push_back(std::move(entry));
  }
  return batch;
}

std::vector<wire::Document> TailableCursor::next(const Context& context, std::int64_t limit) {
  if (oplog_) return next_entries(context, limit);
  const Collection* tailed = context.deployment.store.find_uuid(uuid_);
  if (tailed == nullptr)
    throw CommandError(175, "Executor error during getMore :: caused by :: collection dropped: " + ns());
  const ReadView view = context.read_view();
  if (last_record_ != 0 && tailed->read(last_record_, view).is_default()) position_lost();
  std::vector<wire::Document> batch;
  BatchLimit room(limit);
  tailed->scan(last_record_, view, [&](RecordId record, const wire::Document& document) {
    if (room.full()) return false;
    if (options_.filter.matches(document) && !skips()) {
      wire::Document result = options_.projection.apply(document, &options_.filter);
      if (!room.takes(result)) return false;
      room.took(result);
      batch.push_back(std::move(result));
    }
    last_record_ = record;
    return true;
  });
  return batch;
}

Outcome TailableCursor::read(Context& context, const ReadRequest& request) {
  const std::vector<wire::Document> batch = next(context, request.batch_size.value_or(0));
  if (batch.empty() && await_data() && context.deployment.clock.waited(context.now) < request.deadline) {
    Wait wait;
    wait.what = oplog_ ? WaitForOplog{} : WaitForOplog{db, collection};
    return wait;
  }
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("cursor").begin_array("nextBatch");
  for (const wire::Document& document : batch) out.append_document(out.item_name(), document);
  out.end().append_int64("id", id).append_string("ns", ns()).end();
  documents_returned += static_cast<std::int64_t>(batch.size());
  return Replied{};
}

}  // namespace emulator
