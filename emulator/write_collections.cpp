// How collections, databases and indexes change: the half of the Writer that logs commands.
#include <algorithm>
#include <array>

#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/index_description.h"
#include "emulator/transaction.h"
#include "emulator/write.h"

namespace emulator {
namespace {

OplogNamespacePtr commands_of(const OplogNamespace& about) {
  return std::make_shared<OplogNamespace>(OplogNamespace{about.db, "$cmd", about.uuid});
}

wire::Document record_count(const Collection& collection) {
  wire::DocumentBuilder out;
  return out.append_int32("numRecords", static_cast<std::int32_t>(collection.count())).finish();
}

void append_specs(wire::DocumentBuilder& out, const std::vector<IndexSpec>& specs) {
  out.begin_array("indexes");
  for (const IndexSpec& spec : specs) out.append_document(out.item_name(), spec.spec);
  out.end();
}

// Views and the buckets of time series are not indexed by `_id`.
bool has_id_index(std::string_view collection, const wire::Document& options) {
  return !options.has("viewOn") && !options.has("clusteredIndex") && !options.has("timeseries") &&
         collection != "system.profile";
}

}  // namespace

void check_collection_name(std::string_view db, std::string_view collection, Wording wording) {
  const bool briefly = wording <= Wording::V4_4;
  const std::string full = std::string(db) + "." + std::string(collection);
  if (collection.empty()) throw CommandError(73, "Invalid namespace specified '" + full + "'");
  if (collection.find('\0') != std::string_view::npos)
    throw CommandError(73, "namespaces cannot have embedded null characters");
  if (db.empty() || db.find_first_of("/\\. \"$") != std::string_view::npos)
    throw CommandError(73, "Invalid namespace specified '" + full + "'");
  if (collection.starts_with('.'))
    throw CommandError(73, "Collection names cannot start with '.'" + (briefly ? "" : ": " + std::string(collection)));
  if (collection.find('$') != std::string_view::npos && full != "local.oplog.$main")
    throw CommandError(73, briefly ? "invalid collection name" : "Invalid collection name: " + std::string(collection));
  constexpr std::size_t name_bytes_max = 255;
  if (full.size() > name_bytes_max)
    throw CommandError(73, "Fully qualified namespace is too long. Namespace: " + full + " Max: 255");
}

void check_user_writable(std::string_view db, std::string_view collection, Wording wording) {
  check_collection_name(db, collection, wording);
  const std::string full = std::string(db) + "." + std::string(collection);
  if (full == "local.oplog.rs") throw CommandError(73, "cannot write to " + full);
  if (!collection.starts_with("system.")) return;
  static constexpr std::array known{
      std::string_view("system.js"),      std::string_view("system.users"),     std::string_view("system.views"),
      std::string_view("system.profile"), std::string_view("system.preimages"), std::string_view("system.version"),
      std::string_view("system.roles"),   std::string_view("system.sessions"),  std::string_view("system.healthlog"),
      std::string_view("system.replset"), std::string_view("system.keys"),      std::string_view("system.indexBuilds")};
  if (std::ranges::find(known, collection) == known.end() && !collection.starts_with("system.buckets."))
    throw CommandError(
        73, wording <= Wording::V4_4 ? "cannot write to '" + full + "'" : "Invalid system namespace: " + full);
}

std::string Writer::passing_name() {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string name = "tmp";
  for (int i = 0; i < 5; ++i) name += letters[deployment_.uuids.next() % letters.size()];
  return name;
}

wire::Timestamp Writer::log_command(const OplogNamespace& about, wire::Document o, wire::Document o2) {
  return log(Op::Command, commands_of(about), std::move(o), std::move(o2), {});
}

Collection& Writer::ensure(std::string_view db, std::string_view collection) {
  if (Collection* found = find_collection(context_, db, collection)) return *found;
  check_user_writable(db, collection, deployment_.profile.wording);
  return create(db, collection, {});
}

Collection& Writer::create(std::string_view db, std::string_view collection, wire::Document options) {
  auto identity = std::make_shared<OplogNamespace>(
      OplogNamespace{std::string(db), std::string(collection), deployment_.uuids.uuid()});
  wire::DocumentBuilder o;
  o.append_string("create", collection).append_all(options);
  if (has_id_index(collection, options))
    o.append_document("idIndex", id_index_description(*identity, options, deployment_.profile));
  // Views are documents of system.views, which is what is logged.
  const wire::Timestamp time = options.has("viewOn") ? wire::Timestamp{} : log_command(*identity, o.finish());
  if (transaction_ == nullptr) {
    Collection& created = deployment_.store.create(std::move(identity), std::move(options));
    created.set_minimum_visible(time);
    return created;
  }
  transaction_->created.push_back(deployment_.store.make(std::move(identity), std::move(options)));
  return *transaction_->created.back();
}

void Writer::drop(Collection& collection) {
  const OplogNamespacePtr identity = collection.identity();
  require_unused(deployment_, identity->db, identity->collection);
  // A profile is its server's own.
  if (collection.kind() == CollectionKind::Ordinary && identity->collection != "system.profile") {
    wire::DocumentBuilder o;
    log_command(*identity, o.append_string("drop", identity->collection).finish(), record_count(collection));
  }
  deployment_.store.drop(identity->db, identity->collection);
}

void Writer::drop_database(std::string_view db) {
  if (!deployment_.store.is_open(db)) return;
  require_unused(deployment_, db, {});
  std::vector<Collection*> collections;
  if (const auto found = deployment_.store.databases().find(db); found != deployment_.store.databases().end())
    for (const auto& [name, collection] : found->second) collections.push_back(collection.get());
  for (Collection* collection : collections) drop(*collection);
  wire::DocumentBuilder o;
  log_command(OplogNamespace{std::string(db), "$cmd", {}}, o.append_int32("dropDatabase", 1).finish());
  deployment_.store.close(db);
}

void Writer::rename(Collection& collection, std::string_view to_db, std::string_view to, Target target) {
  const OplogNamespacePtr from = collection.identity();
  require_unused(deployment_, from->db, from->collection);
  require_unused(deployment_, to_db, to);
  auto identity = std::make_shared<OplogNamespace>(OplogNamespace{std::string(to_db), std::string(to), from->uuid});
  wire::DocumentBuilder o;
  o.append_string("renameCollection", from->full())
      .append_string("to", identity->full())
      .append_bool("stayTemp", false);
  wire::Document o2;
  if (const Collection* standing = deployment_.store.find(to_db, to); standing != nullptr) {
    if (target == Target::MustBeFree) throw CommandError(48, "target namespace exists");
    o.append_binary("dropTarget", 4, standing->uuid());
    o2 = record_count(*standing);
    deployment_.store.drop(to_db, to);
  }
  collection.set_minimum_visible(log_command(*from, o.finish(), std::move(o2)));
  deployment_.store.rename(collection, std::move(identity));
}

// config.system.indexBuilds has a document of each build under way: two writes more that a client's operation time shows.
void Writer::register_build(const Uuid& build, const Collection& collection, const std::vector<IndexSpec>& specs) {
  wire::DocumentBuilder out;
  out.append_binary("_id", 4, build).append_binary("collectionUUID", 4, collection.uuid());
  out.append_string("commitQuorum", "votingMembers").begin_array("indexNames");
  for (const IndexSpec& spec : specs) out.append_string(out.item_name(), spec.name);
  out.end();
  Collection* builds = deployment_.store.find("config", "system.indexBuilds");
  if (builds == nullptr)
    builds = &deployment_.store.create(
        std::make_shared<OplogNamespace>(OplogNamespace{"config", "system.indexBuilds", deployment_.uuids.uuid()}), {});
  insert_prepared(*builds, out.finish());
}

void Writer::forget_build(const Uuid& build) {
  Collection* builds = deployment_.store.find("config", "system.indexBuilds");
  if (const auto record = builds->record_of_id(wire::Value::binary(4, build), ReadView{})) remove(*builds, *record);
}

void Writer::create_indexes(Collection& collection, const std::vector<IndexSpec>& specs) {
  const OplogNamespace& identity = *collection.identity();
  if (transaction_ == nullptr) require_unused(deployment_, identity.db, identity.collection);
  const bool two_phase =
      collection.count() > 0 && transaction_ == nullptr && deployment_.profile.oplog.two_phase_index_builds;
  const Uuid build = two_phase ? deployment_.uuids.uuid() : Uuid{};
  wire::DocumentBuilder body;
  const auto log_phase = [&](std::string_view phase) {
    body.append_string(phase, identity.collection).append_binary("indexBuildUUID", 4, build);
    append_specs(body, specs);
    return log_command(identity, body.finish());
  };
  if (two_phase) {
    register_build(build, collection, specs);
    log_phase("startIndexBuild");
  }
  for (const IndexSpec& spec : specs) {
    const Conflict conflict = collection.add_index(spec);
    if (conflict.obstacle == Obstacle::None) continue;
    for (const IndexSpec& added : specs) collection.drop_index(added.name);
    Index index{spec};
    const Failure failure = blocked(collection, {conflict.obstacle, &index, conflict.key, 0});
    if (two_phase) {
      log_phase("abortIndexBuild");
      forget_build(build);
    }
    throw CommandError(*failure);
  }
  if (two_phase) {
    const wire::Timestamp ready = log_phase("commitIndexBuild");
    for (const IndexSpec& spec : specs) collection.set_index_ready(spec.name, ready);
    return forget_build(build);
  }
  for (const IndexSpec& spec : specs) {
    body.append_string("createIndexes", identity.collection).append_all(spec.spec);
    collection.set_index_ready(spec.name, log_command(identity, body.finish()));
  }
}

void Writer::drop_index(Collection& collection, const Index& index) {
  require_unused(deployment_, collection.identity()->db, collection.identity()->collection);
  wire::DocumentBuilder o;
  o.append_string("dropIndexes", collection.identity()->collection).append_string("index", index.spec().name);
  const std::string name = index.spec().name;
  const wire::Document described = index_description(index.spec().spec, *collection.identity(), deployment_.profile);
  log_command(*collection.identity(), o.finish(), described);
  collection.drop_index(name);
}

void Writer::modify(Collection& collection, wire::DocumentView modification, wire::Document options,
                    wire::Document old_index_options) {
  wire::DocumentBuilder o;
  o.append_string("collMod", collection.identity()->collection).append_all(modification);
  wire::DocumentBuilder o2;
  o2.begin_document("collectionOptions_old")
      .append_binary("uuid", 4, collection.uuid())
      .append_all(collection.options())
      .end();
  if (deployment_.profile.wording > Wording::V5_0) {
    if (!old_index_options.is_default()) o2.append_document("indexOptions_old", old_index_options);
  } else {
    for (const auto& [name, value] : old_index_options) o2.append(std::string(name) + "_old", value);
  }
  log_command(*collection.identity(), o.finish(), o2.finish());
  collection.set_options(std::move(options));
}

}  // namespace emulator
