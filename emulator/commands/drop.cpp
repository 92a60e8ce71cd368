#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/views.h"
#include "emulator/write.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("maxTimeMS"), std::string_view("encryptedFields"),
                            std::string_view("collectionUUID")};

// The index on `_id` counts, except where the collection itself is it.
std::int32_t index_count(const Collection& collection) {
  const bool has_id_index = !collection.clustered() && collection.identity()->collection != "system.profile";
  return static_cast<std::int32_t>(collection.indexes().size()) + (has_id_index ? 1 : 0);
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const std::string full = std::string(context.request.db) + "." + name;
  // Up to 4.4 the failure has no code.
  if (full == "local.oplog.rs")
    throw CommandError(context.profile().wording <= Wording::V4_4 ? 0 : 5255000,
                       "can't drop live oplog while replicating");
  if (name == "system.profile" && context.deployment.profiling.level(context.request.db) > 0)
    throw CommandError(20, "turn off profiling before dropping system.profile collection");
  Writer writer(context);
  Collection* collection = context.deployment.store.find(context.request.db, name);
  if (collection == nullptr) throw CommandError(26, "ns not found");
  switch (collection->kind()) {
    case CollectionKind::View:
      drop_view(context, writer, *collection);
      break;
    case CollectionKind::TimeSeries:
      context.reply.append_int32("nIndexesWas", 0);
      drop_view(context, writer, *collection);
      break;
    case CollectionKind::Ordinary:
      context.reply.append_int32("nIndexesWas", index_count(*collection));
      writer.drop(*collection);
      break;
  }
  context.reply.append_string("ns", full);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_command{.name = "drop",
                                                .runs_on = RunsOn::Primary,
                                                .write_concern = WriteConcern::Supported,
                                                .api_version_1 = ApiVersion1::Yes,
                                                .fields = fields,
                                                .authorized = on_collection<Action::DropCollection>,
                                                .run = run,
                                                .help = "Drops a collection or view."};

}  // namespace emulator
