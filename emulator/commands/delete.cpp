#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/explain.h"
#include "emulator/index_scan.h"
#include "emulator/statement_writes.h"
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

constexpr int hint_wire_version_min = 9;

constexpr std::array field_versions{FieldVersion{"let", 13}, FieldVersion{"stmtIds", 13},
                                    FieldVersion{"isTimeseriesNamespace", 13}};

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  std::vector<Arguments> deletes;
  for (const wire::DocumentView document : statements_of(context, "deletes")) {
    const Arguments& statement = deletes.emplace_back(document, "delete.deletes");
    statement.only(statement_fields);
    if (statement["hint"] && context.profile().max_wire_version < hint_wire_version_min)
      throw CommandError(40415, "BSON field 'delete.deletes.hint' is an unknown field.");
    statement.required("q");
    statement.object("q");
    read_delete_limit(statement);
    IndexScan::read(statement);
  }
  check_batch_size(deletes.size());
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::Matched);
  written_collection(context, name);
  for (std::size_t i = 0; i < deletes.size(); ++i) {
    const bool goes_on = statements.run(static_cast<std::int32_t>(i), [&](StatementOutcome& outcome) {
      return run_delete(context, writer, name, deletes[i], outcome);
    });
    if (!goes_on) break;
  }
  statements.finish();
  return Replied{};
}

void explain(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command, Verbosity verbosity) {
  const std::optional<wire::DocumentView> deletes = Arguments(command, "delete").array("deletes");
  if (!deletes || deletes->count() != 1 || !deletes->first().value.is(wire::Type::Document))
    throw CommandError(72, "explained write batches must be of size 1");
  const Arguments statement(deletes->first().value.as_document(), "delete.deletes");
  PlannedQuery query;
  query.collection = explained_collection(context, command);
  query.filter = statement.object("q");
  query.limit = read_delete_limit(statement);
  query.hint = statement["hint"];
  query.collation = statement["collation"];
  query.over = PlanOver::Delete;
  append_plan(out, context, query, verbosity);
}

}  // namespace

extern constinit const CommandSpec delete_command{.name = "delete",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .field_versions = field_versions,
                                                  .unknown_until_4_4 = unknown_field,
                                                  .profiled_as = "remove",
                                                  .authorized = on_collection<Action::Remove>,
                                                  .run = run,
                                                  .explain = explain,
                                                  .help = "Deletes documents."};

}  // namespace emulator
