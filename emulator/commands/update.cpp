#include <array>

#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/index_scan.h"
#include "emulator/update_statement.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("updates"),
                            std::string_view("ordered"),
                            std::string_view("bypassDocumentValidation"),
                            std::string_view("let"),
                            std::string_view("stmtId"),
                            std::string_view("stmtIds"),
                            std::string_view("isTimeseriesNamespace"),
                            std::string_view("maxTimeMS")};
constexpr std::array statement_fields{std::string_view("q"),
                                      std::string_view("u"),
                                      std::string_view("c"),
                                      std::string_view("upsert"),
                                      std::string_view("multi"),
                                      std::string_view("collation"),
                                      std::string_view("hint"),
                                      std::string_view("arrayFilters"),
                                      std::string_view("upsertSupplied")};

// Throws for what fails the whole command.
void check(const Arguments& statement) {
  statement.only(statement_fields);
  statement.required("q");
  statement.object("q");
  const wire::ValueView u = statement.required("u");
  if (!u.is(wire::Type::Document) && !u.is(wire::Type::Array))
    throw CommandError(9, "Update argument must be either an object or an array");
  statement.boolean("multi");
  statement.boolean("upsert");
  statement.array("arrayFilters");
  IndexScan::read(statement);
}

// mongod counts the stages of pipelines when all statements have run: what is no stage then fails the command too.
void count_stages(const Context& context, const std::vector<Arguments>& updates) {
  for (const Arguments& statement : updates)
    if (const wire::ValueView u = statement["u"]; u.is(wire::Type::Array))
      Pipeline::check_names(u.as_document(), match_context(context, MatchPlace::Update).expressions);
}

class Statement {
 public:
  Statement(Context& context, Writer& writer, const WriteStatements& statements, std::string_view name,
            const Arguments& arguments)
      : context_(context), writer_(writer), statements_(statements), name_(name), arguments_(arguments) {}

  Failure run(Collection* collection, StatementOutcome& outcome) {
    const Update update = parse_update(context_, arguments_["u"], arguments_["arrayFilters"], arguments_["c"]);
    const bool multi = arguments_.boolean("multi");
    if (multi && writer_.is_retryable())
      return CommandError(72, "Cannot use (or request) retryable writes with multi=true");
    if (multi && update.kind() == Update::Kind::Replacement)
      throw CommandError(9, "multi update is not supported for replacement-style update");
    const Matcher filter = Matcher::parse(arguments_.object("q"), match_context(context_, MatchPlace::Find));
    if (collection != nullptr) {
      if (Failure failure = view_failure(*collection)) return failure;
      const std::optional<IndexScan> scan =
          IndexScan::plan(*collection, IndexScan::read(arguments_), {filter, IndexScan::CollationShown::Yes});
      const QueryOptions options{0, multi ? 0 : 1, scan ? &*scan : nullptr};
      for (const Found& found : find_documents(*collection, filter, {}, writer_.view(), options)) {
        if (statements_.is_written(found.record)) continue;
        Updated updated;
        if (Failure failure = update_found(writer_, *collection, found, filter, update, updated)) return failure;
        ++outcome.n;
        if (updated.modified) ++outcome.modified;
      }
    }
    if (outcome.n > 0 || !arguments_.boolean("upsert")) return std::nullopt;
    wire::Document inserted;
    if (Failure failure = upsert(context_, writer_, name_, filter, update, inserted)) return failure;
    outcome.n = 1;
    outcome.upserted = inserted["_id"];
    return std::nullopt;
  }

 private:
  Context& context_;
  Writer& writer_;
  const WriteStatements& statements_;
  std::string_view name_;
  const Arguments& arguments_;
};

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  std::vector<Arguments> updates;
  for (const wire::DocumentView document : context.request.documents("updates"))
    check(updates.emplace_back(document, "update.updates"));
  check_batch_size(updates.size());
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::MatchedAndModified);
  written_collection(context, name);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const bool goes_on = statements.run(static_cast<std::int32_t>(i), [&](StatementOutcome& outcome) {
      // Looked up anew: the statement before may have created it.
      return Statement(context, writer, statements, name, updates[i])
          .run(find_collection(context, context.request.db, name), outcome);
    });
    if (!goes_on) break;
  }
  count_stages(context, updates);
  statements.finish();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec update_command{.name = "update",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .run = run,
                                                  .help = "Updates, replaces or upserts documents."};

}  // namespace emulator
