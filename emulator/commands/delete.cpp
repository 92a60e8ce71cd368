#include <array>

#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/index_scan.h"
#include "emulator/query.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("deletes"),
                            std::string_view("ordered"),
                            std::string_view("bypassDocumentValidation"),
                            std::string_view("let"),
                            std::string_view("stmtId"),
                            std::string_view("stmtIds"),
                            std::string_view("isTimeseriesNamespace"),
                            std::string_view("maxTimeMS")};
constexpr std::array statement_fields{std::string_view("q"), std::string_view("limit"), std::string_view("collation"),
                                      std::string_view("hint")};

// 1: the first match; 0: all of them.
std::int64_t read_limit(const Arguments& statement) {
  statement.required("limit");
  const std::int64_t limit = statement.whole("limit").value_or(0);
  if (limit != 0 && limit != 1)
    throw CommandError(9, "The limit field in delete objects must be 0 or 1. Got " + std::to_string(limit));
  return limit;
}

Failure remove_matches(Context& context, Writer& writer, Collection& collection, const Arguments& statement,
                       StatementOutcome& outcome) {
  if (Failure failure = view_failure(collection)) return failure;
  const Matcher filter = Matcher::parse(statement.object("q"), match_context(context, MatchPlace::Find));
  if (writer.is_retryable() && read_limit(statement) == 0)
    return CommandError(72, "Cannot use (or request) retryable writes with limit=0");
  const std::optional<IndexScan> scan =
      IndexScan::plan(collection, IndexScan::read(statement), {filter, IndexScan::CollationShown::No});
  const QueryOptions options{0, read_limit(statement), scan ? &*scan : nullptr};
  for (const Found& found : find_documents(collection, filter, {}, writer.view(), options)) {
    if (Failure failure = writer.remove(collection, found.record)) return failure;
    ++outcome.n;
  }
  return std::nullopt;
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  std::vector<Arguments> deletes;
  for (const wire::DocumentView document : context.request.documents("deletes")) {
    const Arguments& statement = deletes.emplace_back(document, "delete.deletes");
    statement.only(statement_fields);
    statement.required("q");
    statement.object("q");
    read_limit(statement);
    IndexScan::read(statement);
  }
  check_batch_size(deletes.size());
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::Matched);
  Collection* collection = written_collection(context, name);
  for (std::size_t i = 0; i < deletes.size(); ++i) {
    const bool goes_on = statements.run(static_cast<std::int32_t>(i), [&](StatementOutcome& outcome) -> Failure {
      if (collection != nullptr) return remove_matches(context, writer, *collection, deletes[i], outcome);
      // A bad filter is an error even where there is nothing to delete.
      Matcher::parse(deletes[i].object("q"), match_context(context, MatchPlace::Find));
      return std::nullopt;
    });
    if (!goes_on) break;
  }
  statements.finish();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec delete_command{.name = "delete",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .run = run,
                                                  .help = "Deletes documents."};

}  // namespace emulator
