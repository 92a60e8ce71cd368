#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/index_list.h"
#include "emulator/transaction.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("cursor"), std::string_view("includeBuildUUIDs"),
                            std::string_view("includeIndexBuildInfo"), std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const Collection* collection = find_collection(context, context.request.db, name);
  if (collection == nullptr)
    throw CommandError(26, "ns does not exist: " + std::string(context.request.db) + "." + name);
  if (Failure failure = view_failure(*collection)) throw CommandError(*failure);
  std::vector<wire::Document> results = index_documents(*collection, context.profile());
  const Arguments cursor(Arguments(context.request.body, "listIndexes").object("cursor"), "listIndexes.cursor");
  CursorOptions options;
  options.batch_size = cursor.count("batchSize");
  options.order = CursorOptions::Order::BatchLast;
  options.end = CursorOptions::End::Known;
  reply_with_cursor(context, context.request.db, name, std::move(results), options);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec list_indexes_command{.name = "listIndexes",
                                                        .runs_on = RunsOn::SecondaryIfAllowed,
                                                        .api_version_1 = ApiVersion1::Yes,
                                                        .fields = fields,
                                                        .authorized = on_collection<Action::ListIndexes>,
                                                        .run = run,
                                                        .help = "Lists a collection's indexes."};

}  // namespace emulator
