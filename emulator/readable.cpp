#include "emulator/readable.h"

#include <algorithm>

#include "emulator/bucket.h"
#include "emulator/deployment.h"
#include "emulator/pipeline.h"
#include "emulator/snapshot_read.h"
#include "emulator/transaction.h"
#include "emulator/views.h"

namespace emulator {
namespace {

constexpr int view_depth_max = 20;  // ViewGraph::kMaxViewDepth

// Filters, sorts and cuts documents that are no collection's.
std::vector<Found> select(std::vector<wire::Document> documents, const Matcher& filter, const SortPattern& sort,
                          const QueryOptions& options) {
  std::erase_if(documents, [&](const wire::Document& document) { return !filter.matches(document); });
  if (!sort.empty()) sort.sort(documents);
  std::vector<Found> found;
  const auto first = std::min(static_cast<std::size_t>(options.skip), documents.size());
  for (std::size_t i = first; i < documents.size(); ++i) {
    if (options.limit > 0 && found.size() == static_cast<std::size_t>(options.limit)) break;
    found.push_back({static_cast<RecordId>(i + 1), std::move(documents[i])});
  }
  return found;
}

// config.transactions: what a session's newest txnNumber came to.
std::vector<wire::Document> transaction_documents(const Deployment& deployment) {
  std::vector<wire::Document> out;
  for (const auto& [key, session] : deployment.sessions.all()) {
    const wire::Timestamp last = session.transaction ? session.transaction->last_entry : session.last_write;
    if (session.txn_number < 0 || last == wire::Timestamp{}) continue;
    wire::DocumentBuilder document;
    document.append_document("_id", session.lsid).append_int64("txnNum", session.txn_number);
    document.begin_document("lastWriteOpTime").append_timestamp("ts", last).append_int64("t", deployment.term).end();
    if (session.transaction)
      document.append_string("state",
                             session.transaction->state == TransactionState::Prepared ? "prepared" : "committed");
    out.push_back(document.finish());
  }
  return out;
}

}  // namespace

wire::Timestamp lowest_time(wire::DocumentView filter) {
  wire::Timestamp lowest{};
  const auto raise = [&](wire::ValueView value) {
    if (value.is(wire::Type::Timestamp)) lowest = std::max(lowest, value.as_timestamp());
  };
  for (const wire::Element& element : filter) {
    if (element.name == "ts" && element.value.is(wire::Type::Document)) {
      for (const wire::Element& test : element.value.as_document())
        if (test.name == "$gte" || test.name == "$gt" || test.name == "$eq") raise(test.value);
    } else if (element.name == "ts") {
      raise(element.value);
    } else if (element.name == "$and" && element.value.is(wire::Type::Array)) {
      for (const wire::Element& part : element.value.as_document())
        if (part.value.is(wire::Type::Document)) lowest = std::max(lowest, lowest_time(part.value.as_document()));
    }
  }
  return lowest;
}

Readable::Readable(const Context& context, std::string_view db, std::string_view collection, int view_depth)
    : context_(context), db_(db), name_(collection), view_depth_(view_depth) {
  collection_ = find_collection(context, db, collection);
  if (db == "local" && collection == "oplog.rs" && context.deployment.is_replica_set()) kind_ = Kind::Oplog;
  if (db == "config" && collection == "transactions") kind_ = Kind::Made;
  view_on_ = collection_ != nullptr && collection_->kind() != CollectionKind::Ordinary;
  if (context.snapshot == nullptr) return;
  if (kind_ == Kind::Oplog) throw capped_in_snapshot();
  if (kind_ == Kind::Made)
    throw CommandError(5557800,
                       "Snapshot reads and causal consistent majority reads on config.transactions are not supported");
  collection_ = context.snapshot->as_of(collection_);
  // What a view stands on is opened before anything runs.
  if (view_on_ && collection_->kind() == CollectionKind::View && view_depth_ < view_depth_max)
    Readable(context, db, collection_->options()["viewOn"].as_string(), view_depth_ + 1);
}

std::vector<wire::Document> Readable::view_results() const {
  if (collection_->kind() == CollectionKind::TimeSeries) return measurements();
  const wire::ValueView on = collection_->options()["viewOn"];
  if (view_depth_ >= view_depth_max)
    throw CommandError(
        160, "View depth too deep or view cycle detected; maximum depth is " + std::to_string(view_depth_max));
  std::vector<wire::Document> documents = Readable(context_, db_, on.as_string(), view_depth_ + 1).all();
  const wire::ValueView stages = collection_->options()["pipeline"];
  if (!stages.is(wire::Type::Array)) return documents;
  ParseContext parse = match_context(context_, MatchPlace::Aggregate).expressions;
  parse.over = on.as_string();
  parse.depth = view_depth_ + 1;
  return Pipeline::parse(stages.as_document(), PipelineKind::Aggregate, parse).run(std::move(documents));
}

std::vector<wire::Document> Readable::measurements() const {
  std::vector<wire::Document> out;
  const wire::DocumentView series = collection_->options()["timeseries"].as_document();
  for (const wire::Document& bucket : Readable(context_, db_, buckets_of(name_)).all())
    for (wire::Document& measurement : unpack_bucket(bucket, series)) out.push_back(std::move(measurement));
  return out;
}

std::vector<wire::Document> Readable::made() const { return transaction_documents(context_.deployment); }

std::vector<Found> Readable::find_in_oplog(const Matcher& filter, const QueryOptions& options) const {
  std::vector<Found> found;
  const Oplog& oplog = context_.deployment.oplog;
  std::int64_t to_skip = options.skip;
  const OplogPosition end = std::min(context_.member.position, oplog.end());
  for (OplogPosition at = std::max(oplog.lower_bound(lowest_time(filter.filter())), context_.member.first); at < end;
       ++at) {
    wire::Document document = oplog_document(oplog.at(at), context_.profile().oplog);
    if (!filter.matches(document) || to_skip-- > 0) continue;
    found.push_back({static_cast<RecordId>(at + 1), std::move(document)});
    if (options.limit > 0 && found.size() == static_cast<std::size_t>(options.limit)) break;
  }
  return found;
}

std::vector<wire::Document> Readable::all(const IndexScan* by) const {
  std::vector<wire::Document> out;
  for (Found& found : find(Matcher(), {}, {0, 0, by})) out.push_back(std::move(found.document));
  return out;
}

std::vector<Found> Readable::find(const Matcher& filter, const SortPattern& sort, const QueryOptions& options) const {
  if (kind_ == Kind::Made) return select(made(), filter, sort, options);
  if (kind_ == Kind::Oplog) {
    if (sort.empty() || sort.natural() == NaturalOrder::Forward) return find_in_oplog(filter, options);
    // The newest entry alone is what clients ask for most.
    if (sort.natural() == NaturalOrder::Backward && filter.empty() && options.limit == 1 && options.skip == 0 &&
        context_.member.position > context_.deployment.oplog.first())
      return {{static_cast<RecordId>(context_.member.position),
               oplog_document(context_.deployment.oplog.at(context_.member.position - 1), context_.profile().oplog)}};
    std::vector<wire::Document> entries;
    for (Found& found : find_in_oplog(filter, {})) entries.push_back(std::move(found.document));
    return select(std::move(entries), filter, sort, options);
  }
  if (collection_ == nullptr) return {};
  if (view_on_) return select(view_results(), filter, sort, options);
  return find_documents(*collection_, filter, sort, context_.read_view(), options);
}

std::int64_t Readable::count(const Matcher& filter, const QueryOptions& options) const {
  if (kind_ == Kind::Stored && collection_ != nullptr && !view_on_)
    return count_documents(*collection_, filter, context_.read_view(), options);
  return static_cast<std::int64_t>(find(filter, {}, options).size());
}

}  // namespace emulator
