#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/value_text.h"
#include "emulator/write.h"
#include "emulator/write_reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("index"), std::string_view("maxTimeMS")};

std::string named(const Collection& collection, std::string_view name) {
  if (name == "_id_") {
    if (collection.clustered()) throw CommandError(5979800, "It is illegal to drop the clusteredIndex");
    throw CommandError(72, "cannot drop _id index");
  }
  if (collection.find_index(name) == nullptr)
    throw CommandError(27, "index not found with name [" + std::string(name) + "]");
  return std::string(name);
}

// The names of the indexes that the argument means: a name, a list of names, a key pattern, "*".
std::vector<std::string> chosen(const Collection& collection, wire::ValueView index) {
  std::vector<std::string> names;
  if (index.is(wire::Type::Array)) {
    for (const wire::Element& element : index.as_document())
      names.push_back(named(collection, element.value.is(wire::Type::String) ? element.value.as_string() : ""));
  } else if (index.is(wire::Type::Document)) {
    for (const auto& candidate : collection.indexes())
      if (candidate->spec().key.view().identical(index.as_document())) names.push_back(candidate->spec().name);
    if (names.empty()) throw CommandError(27, "can't find index with key: " + bson_text(index.as_document()));
  } else if (index.is(wire::Type::String) && index.as_string() == "*") {
    for (const auto& candidate : collection.indexes()) names.push_back(candidate->spec().name);
  } else if (index.is(wire::Type::String)) {
    names.push_back(named(collection, index.as_string()));
  } else if (index.missing()) {
    throw CommandError(40414, "BSON field 'dropIndexes.index' is missing but a required field");
  } else {
    throw CommandError(14, "BSON field 'dropIndexes.index' is the wrong type '" +
                               std::string(wire::type_name(index.type())) +
                               "', expected types '[string, object, array']");
  }
  return names;
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  Writer writer(context);
  Collection* collection = context.deployment.store.find(context.request.db, name);
  if (collection == nullptr) throw CommandError(26, "ns not found " + std::string(context.request.db) + "." + name);
  if (Failure failure = view_failure(*collection)) throw CommandError(*failure);
  const wire::ValueView index = context.request["index"];
  const std::vector<std::string> names = chosen(*collection, index);
  const auto before = static_cast<std::int32_t>(collection->indexes().size()) + (collection->clustered() ? 0 : 1);
  require_unused(context.deployment, context.request.db, name);
  for (const std::string& dropped : names) writer.drop_index(*collection, *collection->find_index(dropped));
  context.reply.append_int32("nIndexesWas", before);
  if (index.is(wire::Type::String) && index.as_string() == "*")
    context.reply.append_string("msg", "non-_id indexes dropped for collection");
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_indexes_command{.name = "dropIndexes",
                                                        .aliases = {"deleteIndexes"},
                                                        .runs_on = RunsOn::Primary,
                                                        .write_concern = WriteConcern::Supported,
                                                        .api_version_1 = ApiVersion1::Yes,
                                                        .fields = fields,
                                                        .authorized = on_collection<Action::DropIndex>,
                                                        .run = run,
                                                        .help = "Drops indexes."};

}  // namespace emulator
