#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/limits.h"
#include "emulator/statement_writes.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{
    std::string_view("documents"), std::string_view("ordered"), std::string_view("bypassDocumentValidation"),
    std::string_view("stmtId"),    std::string_view("stmtIds"), std::string_view("isTimeseriesNamespace"),
    std::string_view("maxTimeMS")};

// Documents that a server inserts together; those that a retry finds done are not among them.
struct Group {
  std::size_t end = 0;
  std::size_t documents = 0;
};

Group group_from(std::size_t first, const std::vector<wire::DocumentView>& documents,
                 const WriteStatements& statements) {
  Group group{first, 0};
  std::size_t bytes = 0;
  for (; group.end < documents.size(); ++group.end) {
    if (group.documents == insert_group_documents_max || bytes >= insert_group_bytes_max) break;
    if (statements.is_done(static_cast<std::int32_t>(group.end))) continue;
    ++group.documents;
    bytes += documents[group.end].size();
  }
  return group;
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "insert");
  const std::string name = context.collection_name();
  const std::vector<wire::DocumentView> documents = statements_of(context, "documents");
  check_batch_size(documents.size());
  arguments.flag("bypassDocumentValidation");
  Writer writer(context);
  WriteStatements statements(context, writer, Counts::Matched);
  const Collection* collection = written_collection(context, name);
  if (documents.size() > 1) writer.begin_insert_batch(collection);
  Group group;
  const bool is_capped = collection != nullptr && collection->capped();
  const bool asks = writer.is_retryable() && !is_capped && !context.deployment.faults.empty();
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (asks && i == group.end) {
      group = group_from(i, documents, statements);
      writer.begin_insert_group(group.documents);
    }
    const bool goes_on = statements.run(static_cast<std::int32_t>(i), [&](StatementOutcome& outcome) {
      return run_insert(context, writer, name, documents[i], outcome);
    });
    if (!goes_on) break;
  }
  writer.finish_insert_batch();
  statements.finish();
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  const Resource collection = target_collection(request);
  return may(context, collection, {Action::Insert}) && (!is_truthy(request["bypassDocumentValidation"]) ||
                                                        may(context, collection, {Action::BypassDocumentValidation}));
}

}  // namespace

extern constinit const CommandSpec insert_command{.name = "insert",
                                                  .runs_on = RunsOn::Primary,
                                                  .in_transaction = InTransaction::Allowed,
                                                  .write_concern = WriteConcern::Supported,
                                                  .api_version_1 = ApiVersion1::Yes,
                                                  .fields = fields,
                                                  .unknown_until_4_4 = unknown_field,
                                                  .profiled_as = "insert",
                                                  .authorized = authorized,
                                                  .run = run,
                                                  .help = "Inserts documents."};

}  // namespace emulator
