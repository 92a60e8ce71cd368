#include "emulator/sharding.h"

#include <algorithm>

#include "emulator/deployment.h"
#include "emulator/error_codes.h"
#include "emulator/write.h"
#include "wire/compare.h"

namespace emulator {
namespace {

constexpr std::string_view config = "config";
constexpr std::string_view first_shard = "shard01";
constexpr int shard_not_found = 70;
constexpr int namespace_not_sharded = 118;

Collection& config_collection(Deployment& deployment, std::string_view name) {
  if (Collection* found = deployment.store.find(config, name)) return *found;
  return deployment.store.create(
      std::make_shared<OplogNamespace>(OplogNamespace{std::string(config), std::string(name), deployment.uuids.uuid()}),
      {});
}

// Unlogged: what config servers write is no entry of a shard's oplog.
void put(Deployment& deployment, std::string_view name, wire::Document document) {
  Collection& collection = config_collection(deployment, name);
  const Stamp stamp{deployment.cluster_time(), 0};
  if (const auto record = collection.record_of_id(document["_id"], ReadView{}))
    collection.update(*record, std::move(document), stamp);
  else
    collection.insert(std::move(document), stamp);
}

wire::Document metadata(const Deployment& deployment, std::string_view name, std::string_view id) {
  const Collection* collection = deployment.store.find(config, name);
  return collection == nullptr ? wire::Document() : collection->find_by_id(wire::Value::string(id), ReadView{});
}

std::string primary_shard(const Deployment& deployment, std::string_view db) {
  const wire::Document database = metadata(deployment, "databases", db);
  return database.is_default() ? std::string(first_shard) : std::string(database["primary"].as_string());
}

// {<each field of the key>: end}
wire::Document bound(wire::DocumentView key, const wire::Value& end) {
  wire::DocumentBuilder out;
  for (const wire::Element& field : key) out.append(field.name, end);
  return out.finish();
}

wire::Document chunk(wire::ValueView id, const Uuid& uuid, wire::DocumentView from, wire::DocumentView to,
                     std::string_view shard) {
  wire::DocumentBuilder out;
  out.append("_id", id).append_binary("uuid", 4, uuid).append_document("min", from).append_document("max", to);
  return out.append_string("shard", shard).finish();
}

wire::Value new_id(Context& context) {
  const auto seconds = static_cast<std::uint32_t>(context.wall_ms() / 1000);
  return wire::Value::object_id(context.deployment.object_ids.object_id(seconds));
}

std::vector<wire::Document> chunks_of(const Deployment& deployment, const Uuid& uuid) {
  std::vector<wire::Document> out = config_documents(deployment, "chunks");
  std::erase_if(
      out, [&](const wire::Document& chunk) { return !std::ranges::equal(chunk["uuid"].as_binary().bytes, uuid); });
  return out;
}

// The value of the shard key that a document, or a find of moveChunk and split, has.
wire::Document key_values(wire::DocumentView pattern, wire::DocumentView document) {
  const wire::Document whole(document);
  wire::DocumentBuilder out;
  for (const wire::Element& field : pattern)
    if (const wire::ValueView value = whole.find_path(field.name)) out.append(field.name, value);
  return out.finish();
}

wire::Document chunk_with(const Deployment& deployment, const Uuid& uuid, wire::DocumentView key) {
  for (const wire::Document& candidate : chunks_of(deployment, uuid))
    if (wire::compare_documents(candidate["min"].as_document(), key) <= 0 &&
        wire::compare_documents(key, candidate["max"].as_document()) < 0)
      return candidate;
  throw CommandError(code::operation_failed, "no chunk found with the shard key bounds");
}

Uuid sharded_uuid(const Deployment& deployment, const OplogNamespace& ns) {
  const Collection* collection = deployment.store.find(ns.db, ns.collection);
  if (collection == nullptr || shard_key_pattern(deployment, ns.full()).is_default())
    throw CommandError(namespace_not_sharded, "ns: " + ns.full() + " is not sharded");
  return collection->uuid();
}

}  // namespace

bool has_router(const Deployment& deployment) {
  return deployment.spec.topology == Topology::Sharded || deployment.spec.topology == Topology::LoadBalanced;
}

void require_router(const Context& context) {
  if (!has_router(context.deployment))
    throw CommandError(code::command_not_found, "no such command: '" + std::string(context.request.name) + "'");
}

OplogNamespace routed_namespace(const Context& context) {
  require_router(context);
  const wire::ValueView target = context.request.target();
  const std::string_view full = target.is(wire::Type::String) ? target.as_string() : std::string_view();
  const std::size_t dot = full.find('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == full.size())
    throw CommandError(code::invalid_namespace, "Invalid namespace specified '" + std::string(full) + "'");
  return {std::string(full.substr(0, dot)), std::string(full.substr(dot + 1)), {}};
}

void create_shards(Deployment& deployment) {
  int port = 27018;
  for (const std::string_view name : {std::string_view("shard01"), std::string_view("shard02")}) {
    wire::DocumentBuilder out;
    out.append_string("_id", name);
    out.append_string("host", std::string(name) + "/127.0.0.1:" + std::to_string(port)).append_int32("state", 1);
    put(deployment, "shards", out.finish());
    port += 10;
  }
}

std::string primary_shard_host(const Deployment& deployment, std::string_view db) {
  const wire::Document shard = metadata(deployment, "shards", primary_shard(deployment, db));
  const std::string_view host = shard.is_default() ? std::string_view() : shard["host"].as_string();
  return std::string(host.substr(host.find('/') + 1));
}

wire::Document shard_key_pattern(const Deployment& deployment, std::string_view ns) {
  const wire::Document collection = metadata(deployment, "collections", ns);
  return collection.is_default() ? wire::Document() : wire::Document(collection["key"].as_document());
}

wire::Document document_key_of(const Deployment& deployment, const Collection& collection,
                               const wire::Document& document) {
  wire::DocumentBuilder out;
  if (has_router(deployment)) {
    const wire::Document pattern = shard_key_pattern(deployment, collection.identity()->full());
    if (!pattern.is_default()) {
      out.append_all(key_values(pattern, document));
      if (pattern.has("_id")) return out.finish();
    }
  }
  return out.append("_id", document["_id"]).finish();
}

void set_shard_key(Context& context, const OplogNamespace& ns, wire::DocumentView key, ShardKeyUniqueness uniqueness) {
  Deployment& deployment = context.deployment;
  const Collection& collection = *deployment.store.find(ns.db, ns.collection);
  set_primary_shard(context, ns.db, primary_shard(deployment, ns.db));
  wire::DocumentBuilder out;
  out.append_string("_id", ns.full()).append_date("lastmodEpoch", context.wall_ms());
  out.append_timestamp("timestamp", deployment.cluster_time()).append_binary("uuid", 4, collection.uuid());
  out.append_document("key", key).append_bool("unique", uniqueness == ShardKeyUniqueness::Unique);
  put(deployment, "collections", out.finish());
  Collection& chunks = config_collection(deployment, "chunks");
  for (const wire::Document& old : chunks_of(deployment, collection.uuid()))
    if (const auto record = chunks.record_of_id(old["_id"], ReadView{}))
      chunks.remove(*record, {deployment.cluster_time(), 0});
  put(deployment, "chunks",
      chunk(new_id(context), collection.uuid(), bound(key, wire::Value::min_key()), bound(key, wire::Value::max_key()),
            primary_shard(deployment, ns.db)));
}

void move_chunk(Context& context, const OplogNamespace& ns, std::string_view to_shard) {
  Deployment& deployment = context.deployment;
  const Uuid uuid = sharded_uuid(deployment, ns);
  if (metadata(deployment, "shards", to_shard).is_default())
    throw CommandError(shard_not_found, "Could not move chunk in '" + ns.full() + "' to shard '" +
                                            std::string(to_shard) + "' because that shard does not exist");
  const wire::ValueView find = context.request["find"];
  const wire::ValueView bounds = context.request["bounds"];
  if (find.is(wire::Type::Document) == bounds.is(wire::Type::Array))
    throw CommandError(code::invalid_options, "need to specify query (find) or bounds");
  wire::Document key;
  if (find.is(wire::Type::Document)) {
    key = key_values(shard_key_pattern(deployment, ns.full()), find.as_document());
  } else {
    const wire::ValueView low = bounds.as_document().first().value;
    if (!low.is(wire::Type::Document)) throw CommandError(code::failed_to_parse, "bounds are an array of two objects");
    key = wire::Document(low.as_document());
  }
  const wire::Document moved = chunk_with(deployment, uuid, key);
  put(deployment, "chunks",
      chunk(moved["_id"], uuid, moved["min"].as_document(), moved["max"].as_document(), to_shard));
}

void split_chunk(Context& context, const OplogNamespace& ns, wire::DocumentView at) {
  Deployment& deployment = context.deployment;
  const Uuid uuid = sharded_uuid(deployment, ns);
  const wire::Document key = key_values(shard_key_pattern(deployment, ns.full()), at);
  const wire::Document whole = chunk_with(deployment, uuid, key);
  const std::string_view shard = whole["shard"].as_string();
  if (wire::compare_documents(whole["min"].as_document(), key) == 0)
    throw CommandError(code::bad_value, "new split key is a boundary key of an existing chunk");
  put(deployment, "chunks", chunk(whole["_id"], uuid, whole["min"].as_document(), key, shard));
  put(deployment, "chunks", chunk(new_id(context), uuid, key, whole["max"].as_document(), shard));
}

void set_primary_shard(Context& context, std::string_view db, std::string_view shard) {
  if (metadata(context.deployment, "shards", shard).is_default())
    throw CommandError(shard_not_found, "Shard '" + std::string(shard) + "' does not exist");
  wire::DocumentBuilder out;
  put(context.deployment, "databases", out.append_string("_id", db).append_string("primary", shard).finish());
}

std::vector<wire::Document> config_documents(const Deployment& deployment, std::string_view name) {
  std::vector<wire::Document> out;
  const Collection* collection = deployment.store.find(config, name);
  if (collection == nullptr) return out;
  collection->scan(0, ReadView{}, [&](RecordId, const wire::Document& document) {
    out.push_back(document);
    return true;
  });
  return out;
}

wire::Timestamp log_sharding(Context& context, const OplogNamespacePtr& ns, std::string_view what,
                             wire::DocumentView fields) {
  wire::DocumentBuilder message;
  message.begin_document("msg").append_string(what, ns->full()).end();
  wire::DocumentBuilder o2;
  OplogEntry entry;
  entry.op = Op::Noop;
  entry.ns = ns;
  entry.has_uuid = true;
  entry.o = message.finish();
  entry.o2 = o2.append_string(what, ns->full()).append_all(fields).finish();
  return context.deployment.append(std::move(entry), context.now);
}

}  // namespace emulator
