#include <array>

#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/transaction.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("cursor"), std::string_view("includeBuildUUIDs"),
                            std::string_view("includeIndexBuildInfo"), std::string_view("maxTimeMS")};

wire::Document id_index(const Collection& collection) {
  wire::DocumentBuilder out;
  out.append_int32("v", 2).begin_document("key").append_int32("_id", 1).end();
  const wire::ValueView clustered = collection.options()["clusteredIndex"];
  const wire::ValueView name = clustered.is(wire::Type::Document) ? clustered.as_document()["name"] : wire::ValueView();
  out.append_string("name", name.is(wire::Type::String) ? name.as_string() : "_id_");
  if (collection.clustered()) out.append_bool("unique", true).append_bool("clustered", true);
  if (const wire::ValueView collation = collection.options()["collation"]) out.append("collation", collation);
  return out.finish();
}

// The order of the server's ListIndexesReplyItem, whatever order the catalog keeps.
wire::Document in_reply_order(const wire::Document& spec) {
  static constexpr std::array order{std::string_view("v"),
                                    std::string_view("key"),
                                    std::string_view("name"),
                                    std::string_view("background"),
                                    std::string_view("unique"),
                                    std::string_view("hidden"),
                                    std::string_view("partialFilterExpression"),
                                    std::string_view("sparse"),
                                    std::string_view("expireAfterSeconds"),
                                    std::string_view("storageEngine"),
                                    std::string_view("weights"),
                                    std::string_view("default_language"),
                                    std::string_view("language_override"),
                                    std::string_view("textIndexVersion"),
                                    std::string_view("2dsphereIndexVersion"),
                                    std::string_view("bits"),
                                    std::string_view("min"),
                                    std::string_view("max"),
                                    std::string_view("collation"),
                                    std::string_view("wildcardProjection")};
  wire::DocumentBuilder out;
  for (const std::string_view field : order)
    if (const wire::ValueView value = spec[field]) out.append(field, value);
  return out.finish();
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const Collection* collection = find_collection(context, context.request.db, name);
  if (collection == nullptr)
    throw CommandError(26, "ns does not exist: " + std::string(context.request.db) + "." + name);
  if (Failure failure = view_failure(*collection)) throw CommandError(*failure);
  std::vector<wire::Document> results;
  if (collection->kind() == CollectionKind::Ordinary) results.push_back(id_index(*collection));
  for (const auto& index : collection->indexes()) results.push_back(in_reply_order(index->spec().spec));
  const Arguments cursor(Arguments(context.request.body, "listIndexes").object("cursor"), "listIndexes.cursor");
  CursorOptions options;
  options.batch_size = cursor.count("batchSize");
  options.order = CursorOptions::Order::BatchLast;
  reply_with_cursor(context, context.request.db, name, std::move(results), options);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec list_indexes_command{.name = "listIndexes",
                                                        .runs_on = RunsOn::SecondaryIfAllowed,
                                                        .api_version_1 = ApiVersion1::Yes,
                                                        .fields = fields,
                                                        .run = run,
                                                        .help = "Lists a collection's indexes."};

}  // namespace emulator
