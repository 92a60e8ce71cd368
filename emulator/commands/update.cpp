#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/explain.h"
#include "emulator/index_scan.h"
#include "emulator/pipeline.h"
#include "emulator/query.h"
#include "emulator/statement_writes.h"
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

constexpr std::array field_versions{FieldVersion{"let", 13}, FieldVersion{"stmtIds", 13},
                                    FieldVersion{"isTimeseriesNamespace", 13}};

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  std::vector<Arguments> updates;
  for (const wire::DocumentView document : statements_of(context, "updates"))
    check(updates.emplace_back(document, "update.updates"));
  check_batch_size(updates.size());
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::MatchedAndModified);
  written_collection(context, name);
  for (std::size_t i = 0; i < updates.size(); ++i) {
    const bool goes_on = statements.run(static_cast<std::int32_t>(i), [&](StatementOutcome& outcome) {
      return run_update(context, writer, statements, name, updates[i], outcome);
    });
    if (!goes_on) break;
  }
  count_stages(context, updates);
  statements.finish();
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const std::optional<wire::DocumentView> updates = Arguments(command, "update").array("updates");
  if (!updates || updates->count() != 1 || !updates->first().value.is(wire::Type::Document))
    throw CommandError(72, "explained write batches must be of size 1");
  const Arguments statement(updates->first().value.as_document(), "update.updates");
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = statement.object("q");
  query.limit = statement.boolean("multi") ? 0 : 1;
  query.hint = statement["hint"];
  query.collation = statement["collation"];
  query.over = PlanOver::Update;
  append_plan(out, context, query, verbosity);
}

bool authorized(const Context& context, const Request& request) {
  const Resource collection = target_collection(request);
  if (!may(context, collection, {Action::Update})) return false;
  if (is_truthy(request["bypassDocumentValidation"]) && !may(context, collection, {Action::BypassDocumentValidation}))
    return false;
  const std::vector<wire::DocumentView> updates = request.documents("updates");
  const bool upserts =
      std::ranges::any_of(updates, [](wire::DocumentView update) { return is_truthy(update["upsert"]); });
  return !upserts || may(context, collection, {Action::Insert});
}

}  // namespace

extern constinit const CommandSpec update_command{.name = "update",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .field_versions = field_versions,
                                                  .unknown_until_4_4 = unknown_field,
                                                  .profiled_as = "update",
                                                  .authorized = authorized,
                                                  .run = run,
                                                  .explain = explain,
                                                  .help = "Updates, replaces or upserts documents."};

}  // namespace emulator
