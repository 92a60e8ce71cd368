#include "emulator/statement_writes.h"

#include "emulator/index_scan.h"
#include "emulator/oplog_writes.h"
#include "emulator/query.h"
#include "emulator/transaction.h"
#include "emulator/update_statement.h"
#include "emulator/views.h"
#include "emulator/write_reply.h"

namespace emulator {

Failure run_insert(Context& context, Writer& writer, std::string_view name, wire::DocumentView document,
                   StatementOutcome& outcome) {
  if (may_try_oplog(context, name)) return oplog_insert_failure(document);
  wire::Document prepared;
  if (Failure failure = writer.prepare(document, prepared)) {
    writer.cut_insert_batch();
    return failure;
  }
  Collection& collection = writer.ensure(context.request.db, name);
  if (Failure failure = view_failure(collection)) return failure;
  outcome.n = 1;
  if (collection.kind() == CollectionKind::TimeSeries) return insert_measurement(context, writer, collection, prepared);
  return writer.insert_prepared(collection, std::move(prepared));
}

Failure run_update(Context& context, Writer& writer, const WriteStatements& statements, std::string_view name,
                   const Arguments& statement, StatementOutcome& outcome) {
  Collection* const collection = find_collection(context, context.request.db, name);
  const Update update = parse_update(context, statement["u"], statement["arrayFilters"], statement["c"]);
  const bool multi = statement.boolean("multi");
  if (multi && writer.is_retryable())
    return CommandError(72, "Cannot use (or request) retryable writes with multi=true");
  if (multi && update.kind() == Update::Kind::Replacement)
    throw CommandError(9, "multi update is not supported for replacement-style update");
  statement.object("collation");
  const MatchContext match = match_context(context, MatchPlace::Find, statement["collation"], collection);
  const Matcher filter = Matcher::parse(statement.object("q"), match);
  if (collection != nullptr) {
    if (Failure failure = view_failure(*collection)) return failure;
    const std::optional<IndexScan> scan = IndexScan::plan(
        *collection, IndexScan::read(statement),
        {.filter = filter, .collation = IndexScan::CollationShown::Yes, .wording = context.profile().wording});
    const QueryOptions options{0, multi ? 0 : 1, scan ? &*scan : nullptr};
    for (const Found& found : find_documents(*collection, filter, {}, writer.view(), options)) {
      if (statements.is_written(found.record)) continue;
      Updated updated;
      if (Failure failure = update_found(writer, *collection, found, filter, update, updated)) return failure;
      ++outcome.n;
      if (updated.modified) ++outcome.modified;
    }
  }
  const bool of_oplog = may_try_oplog(context, name);
  if (of_oplog)
    if (Failure failure = oplog_update_failure(context, filter)) return failure;
  if (outcome.n > 0 || !statement.boolean("upsert")) return std::nullopt;
  if (of_oplog) return oplog_insert_failure(statement.object("q"));
  wire::Document inserted;
  if (Failure failure = upsert(context, writer, name, filter, update, inserted)) return failure;
  outcome.n = 1;
  outcome.upserted = inserted["_id"];
  return std::nullopt;
}

std::int64_t read_delete_limit(const Arguments& statement) {
  statement.required("limit");
  const std::int64_t limit = statement.whole("limit").value_or(0);
  if (limit != 0 && limit != 1)
    throw CommandError(9, "The limit field in delete objects must be 0 or 1. Got " + std::to_string(limit));
  return limit;
}

Failure run_delete(Context& context, Writer& writer, std::string_view name, const Arguments& statement,
                   StatementOutcome& outcome) {
  Collection* const collection = find_collection(context, context.request.db, name);
  if (collection != nullptr)
    if (Failure failure = view_failure(*collection)) return failure;
  statement.object("collation");
  const MatchContext match = match_context(context, MatchPlace::Find, statement["collation"], collection);
  // A bad filter is an error even where there is nothing to delete.
  const Matcher filter = Matcher::parse(statement.object("q"), match);
  if (may_try_oplog(context, name)) return oplog_delete_failure();
  if (collection == nullptr) return std::nullopt;
  if (writer.is_retryable() && read_delete_limit(statement) == 0)
    return CommandError(72, "Cannot use (or request) retryable writes with limit=0");
  const std::optional<IndexScan> scan =
      IndexScan::plan(*collection, IndexScan::read(statement), {filter, IndexScan::CollationShown::No});
  const QueryOptions options{0, read_delete_limit(statement), scan ? &*scan : nullptr};
  for (const Found& found : find_documents(*collection, filter, {}, writer.view(), options)) {
    if (Failure failure = writer.remove(*collection, found.record)) return failure;
    ++outcome.n;
  }
  return std::nullopt;
}

}  // namespace emulator
