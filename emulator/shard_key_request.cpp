#include "emulator/shard_key_request.h"

#include "emulator/arguments.h"
#include "emulator/error_codes.h"
#include "emulator/index_request.h"
#include "emulator/sharding.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

bool begins_with(wire::DocumentView index, wire::DocumentView key) {
  auto at = index.begin();
  for (const wire::Element& field : key) {
    if (at == index.end() || (*at).name != field.name) return false;
    ++at;
  }
  return true;
}

std::string index_name(wire::DocumentView key) {
  std::string name;
  for (const wire::Element& field : key) {
    if (!name.empty()) name += '_';
    name += std::string(field.name) + "_" +
            (field.value.is(wire::Type::String) ? std::string(field.value.as_string()) : std::string("1"));
  }
  return name;
}

}  // namespace

wire::DocumentView read_shard_key(const Context& context) {
  const wire::ValueView key = context.request["key"];
  const std::string command(context.request.name);
  if (key.missing())
    throw CommandError(code::missing_field, "BSON field '" + command + ".key' is missing but a required field");
  if (!key.is(wire::Type::Document))
    throw CommandError(code::type_mismatch, "BSON field '" + command + ".key' is the wrong type '" +
                                                std::string(wire::type_name(key.type())) + "', expected type 'object'");
  if (key.as_document().empty()) throw CommandError(code::bad_value, "Shard key is empty");
  for (const wire::Element& field : key.as_document()) {
    const bool hashed = field.value.is(wire::Type::String) && field.value.as_string() == "hashed";
    const bool ascending = field.value.is_number() && whole_number(field.value) == 1;
    if (!hashed && !ascending)
      throw CommandError(code::bad_value, "Shard key " + bson_text(key.as_document()) +
                                              " can contain either a single 'hashed' field or multiple numerical "
                                              "fields set to a value of 1. Failed to parse field " +
                                              std::string(field.name));
  }
  return key.as_document();
}

Collection& sharded_collection(const Context& context, const OplogNamespace& ns) {
  Collection* collection = context.deployment.store.find(ns.db, ns.collection);
  if (collection == nullptr) throw CommandError(code::namespace_not_found, "Collection " + ns.full() + " not found");
  constexpr int namespace_not_sharded = 118;
  if (shard_key_pattern(context.deployment, ns.full()).is_default())
    throw CommandError(namespace_not_sharded, "Namespace " + ns.full() + " is not sharded");
  return *collection;
}

void require_shard_key_index(Context& context, Writer& writer, Collection& collection, wire::DocumentView key) {
  if (key.first().name == "_id" && !key.first().value.is(wire::Type::String)) return;
  for (const auto& index : collection.indexes())
    if (begins_with(index->spec().key, key)) return;
  if (collection.count() > 0)
    throw CommandError(code::invalid_options,
                       "Please create an index that starts with the proposed shard key before sharding the collection");
  wire::DocumentBuilder spec;
  spec.append_int32("v", 2).append_document("key", key).append_string("name", index_name(key));
  const wire::Document document = spec.finish();
  writer.create_indexes(collection, {read_index_spec(context, document)});
}

}  // namespace emulator
