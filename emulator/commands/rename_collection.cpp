#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/write.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("to"), std::string_view("dropTarget"), std::string_view("stayTemp"),
                            std::string_view("maxTimeMS"), std::string_view("collectionUUID")};

struct Name {
  std::string db;
  std::string collection;
  std::string full() const { return db + "." + collection; }
};

Name split(std::string_view full, std::string_view what) {
  const auto dot = full.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == full.size())
    throw CommandError(73, "Invalid " + std::string(what) + " namespace: " + std::string(full));
  return {std::string(full.substr(0, dot)), std::string(full.substr(dot + 1))};
}

bool may_drop_target(const Request& request) {
  const wire::ValueView value = request["dropTarget"];
  if (value.is_nullish()) return false;
  if (!value.is(wire::Type::Bool) && !value.is(wire::Type::Binary))
    throw CommandError(14, "BSON field 'renameCollection.dropTarget' is the wrong type '" +
                               std::string(wire::type_name(value.type())) + "', expected types '[bool, binData']");
  return value.is(wire::Type::Binary) || value.as_bool();
}

void check_target(const Name& to, Wording wording) {
  try {
    check_user_writable(to.db, to.collection, wording);
  } catch (const CommandError& error) {
    throw CommandError(20, "error with target namespace: " + error.message);
  }
}

// Into another database: a copy under a passing name, renamed there; then the source is dropped.
void move_across(Context& context, Writer& writer, Collection& source, const Name& to, Writer::Target target) {
  if (target == Writer::Target::MustBeFree && context.deployment.store.find(to.db, to.collection) != nullptr)
    throw CommandError(48, "target namespace exists");
  Collection& copy = writer.create(to.db, writer.passing_name() + ".renameCollection", source.options());
  std::vector<IndexSpec> indexes;
  for (const auto& index : source.indexes()) indexes.push_back(index->spec());
  if (!indexes.empty()) writer.create_indexes(copy, indexes);
  Failure failure;
  source.scan(0, ReadView{}, [&](RecordId, const wire::Document& document) {
    failure = writer.insert_prepared(copy, document);
    return !failure;
  });
  if (failure) throw *failure;
  writer.rename(copy, to.db, to.collection, target);
  writer.drop(source);
}

Outcome run(Context& context) {
  const wire::ValueView source = context.request.target();
  if (!source.is(wire::Type::String))
    throw CommandError(2, "collection name has invalid type " + std::string(wire::type_name(source.type())));
  const Arguments arguments(context.request.body, "renameCollection");
  arguments.required("to");
  const Name from = split(source.as_string(), "source");
  const Name to = split(arguments.text("to").value_or(""), "target");
  const Writer::Target target =
      may_drop_target(context.request) ? Writer::Target::MayBeDropped : Writer::Target::MustBeFree;
  const Wording wording = context.profile().wording;
  check_collection_name(from.db, from.collection, wording);
  check_target(to, wording);
  if (from.full() == to.full()) throw CommandError(20, "Can't rename a collection to itself");
  Writer writer(context);
  Store& store = context.deployment.store;
  if (!store.databases().contains(from.db))
    throw CommandError(26, "Database " + from.db + " does not exist or is drop pending");
  Collection* collection = store.find(from.db, from.collection);
  if (collection == nullptr) throw CommandError(26, "Source collection " + from.full() + " does not exist");
  if (collection->kind() != CollectionKind::Ordinary) throw CommandError(166, "cannot rename view: " + from.full());
  if (from.db == to.db)
    writer.rename(*collection, to.db, to.collection, target);
  else
    move_across(context, writer, *collection, to, target);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  const wire::ValueView source = request.target();
  const wire::ValueView target = request["to"];
  if (!source.is(wire::Type::String) || !target.is(wire::Type::String)) return true;
  const Name from = split(source.as_string(), "source");
  const Name to = split(target.as_string(), "target");
  if (from.db == to.db) return may(context, Resource::database(from.db), {Action::RenameCollectionSameDB});
  const Resource arrives = Resource::of(to.db, to.collection);
  return may(context, Resource::of(from.db, from.collection), {Action::Find, Action::DropCollection}) &&
         may(context, arrives, {Action::Insert, Action::CreateIndex}) &&
         (!may_drop_target(request) || may(context, arrives, {Action::DropCollection}));
}

}  // namespace

extern constinit const CommandSpec rename_collection_command{.name = "renameCollection",
                                                             .runs_on = RunsOn::Primary,
                                                             .admin_only = AdminOnly::Yes,
                                                             .write_concern = WriteConcern::Supported,
                                                             .fields = fields,
                                                             .unknown_until_4_4 = unknown_field,
                                                             .authorized = authorized,
                                                             .run = run,
                                                             .help = "Renames a collection."};

}  // namespace emulator
