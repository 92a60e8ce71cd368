// What oplog entries mean to a change stream.
#include <algorithm>
#include <cstring>

#include "emulator/change_event.h"
#include "emulator/command_error.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

using wire::Type;

wire::Document without_first(wire::DocumentView document) {
  wire::DocumentBuilder out;
  bool first = true;
  for (const wire::Element& element : document)
    if (!std::exchange(first, false)) out.append(element.name, element.value);
  return out.finish();
}

wire::Document one_field(std::string_view name, wire::ValueView value) {
  wire::DocumentBuilder out;
  out.append(name, value);
  return out.finish();
}

wire::Document in_array(std::string_view name, wire::DocumentView item) {
  wire::DocumentBuilder out;
  out.begin_array(name);
  out.append_document(out.item_name(), item);
  out.end();
  return out.finish();
}

void split_namespace(std::string_view full, std::string& db, std::string& collection) {
  const std::size_t dot = full.find('.');
  db = full.substr(0, dot);
  collection = dot == std::string_view::npos ? std::string_view() : full.substr(dot + 1);
}

// The parts of an entry, whether it stands alone or inside applyOps.
struct Operation {
  char op = 'n';
  std::string db;
  std::string collection;
  std::optional<Uuid> uuid;
  wire::Document o;
  wire::Document o2;
};

void decode_rename(const Operation& operation, ChangeEvent& event) {
  event.kind = EventKind::Rename;
  split_namespace(operation.o["renameCollection"].as_string(), event.db, event.collection);
  split_namespace(operation.o["to"].as_string(), event.to_db, event.to_collection);
  wire::DocumentBuilder out;
  out.begin_document("to").append_string("db", event.to_db).append_string("coll", event.to_collection).end();
  if (operation.o["dropTarget"].is(Type::Binary)) out.append("dropTarget", operation.o["dropTarget"]);
  event.operation_description = out.finish();
}

void decode_modify(const Operation& operation, ChangeEvent& event) {
  event.kind = EventKind::Modify;
  event.operation_description = without_first(operation.o);
  if (operation.o2.is_default()) return;
  wire::DocumentBuilder out;
  if (const auto options = operation.o2["collectionOptions_old"]) out.append("collectionOptions", options);
  if (const auto index = operation.o2["indexOptions_old"]) out.append("indexOptions", index);
  event.state_before_change = out.finish();
}

bool decode_command(const Operation& operation, ChangeEvent& event) {
  const wire::Element first = operation.o.view().first();
  event.db = operation.db;
  if (first.value.is(Type::String)) event.collection = first.value.as_string();
  if (first.name == "drop") {
    event.kind = EventKind::Drop;
  } else if (first.name == "renameCollection") {
    decode_rename(operation, event);
  } else if (first.name == "dropDatabase") {
    event.kind = EventKind::DropDatabase;
    event.collection.clear();
    event.uuid.reset();
  } else if (first.name == "create") {
    event.kind = EventKind::Create;
    event.operation_description = without_first(operation.o);
  } else if (first.name == "createIndexes") {
    event.kind = EventKind::CreateIndexes;
    event.operation_description = in_array("indexes", without_first(operation.o));
  } else if (first.name == "commitIndexBuild") {
    event.kind = EventKind::CreateIndexes;
    event.operation_description = one_field("indexes", operation.o["indexes"]);
  } else if (first.name == "dropIndexes") {
    event.kind = EventKind::DropIndexes;
    event.operation_description = in_array("indexes", operation.o2);
  } else if (first.name == "collMod") {
    decode_modify(operation, event);
  } else {
    return false;
  }
  return true;
}

// Writes to <db>.system.views are the DDL of views.
bool decode_view(const Operation& operation, ChangeEvent& event) {
  event.on_view = true;
  const wire::ValueView id = operation.op == 'u' ? operation.o2["_id"] : operation.o["_id"];
  if (!id.is(Type::String)) return false;
  split_namespace(id.as_string(), event.db, event.collection);
  if (operation.op == 'd') {
    event.kind = EventKind::Drop;
    return true;
  }
  event.kind = operation.op == 'i' ? EventKind::Create : EventKind::Modify;
  event.operation_description = without_first(operation.o);
  return true;
}

bool decode_write(const Operation& operation, ChangeEvent& event) {
  event.db = operation.db;
  event.collection = operation.collection;
  switch (operation.op) {
    case 'i':
      event.kind = EventKind::Insert;
      event.document = operation.o;
      // The key of a sharded collection is said; others' is the `_id`.
      event.document_key = operation.o2.is_default() ? one_field("_id", operation.o["_id"]) : operation.o2;
      return true;
    case 'd':
      event.kind = EventKind::Delete;
      event.document_key = operation.o;
      return true;
    case 'u': {
      event.document_key = operation.o2;
      const wire::ValueView version = operation.o["$v"];
      if (version.missing()) {
        event.kind = EventKind::Replace;
        event.document = operation.o;
        return true;
      }
      event.kind = EventKind::Update;
      if (const wire::ValueView diff = operation.o["diff"]; diff.is(Type::Document))
        event.diff = wire::Document(diff.as_document());
      else
        event.set_and_unset = operation.o;
      return true;
    }
    default:
      return false;
  }
}

bool decode(const Operation& operation, ChangeEvent& event) {
  event.uuid = operation.uuid;
  if (operation.op == 'c') return decode_command(operation, event);
  if (operation.collection == "system.views" && operation.op != 'n') return decode_view(operation, event);
  return decode_write(operation, event);
}

Operation inner_operation(wire::DocumentView inner) {
  Operation operation;
  const wire::ValueView op = inner["op"];
  if (op.is(Type::String) && !op.as_string().empty()) operation.op = op.as_string()[0];
  if (inner["ns"].is(Type::String)) split_namespace(inner["ns"].as_string(), operation.db, operation.collection);
  if (inner["ui"].is(Type::Binary) && inner["ui"].as_binary().bytes.size() == 16) {
    operation.uuid.emplace();
    std::memcpy(operation.uuid->data(), inner["ui"].as_binary().bytes.data(), 16);
  }
  if (inner["o"].is(Type::Document)) operation.o = wire::Document(inner["o"].as_document());
  if (inner["o2"].is(Type::Document)) operation.o2 = wire::Document(inner["o2"].as_document());
  return operation;
}

// The operations of one applyOps entry; `index` counts those of the whole transaction.
void decode_apply_ops(const OplogEntry& entry, const ChangeEvent& base, std::int64_t& index,
                      std::vector<ChangeEvent>& out) {
  std::int64_t index_in_entry = 0;
  for (const wire::Element& element : entry.o["applyOps"].as_document()) {
    ChangeEvent event = base;
    event.transaction_index = index;
    event.reference.transaction_index = static_cast<std::int32_t>(index++);
    event.image_time = entry.time;
    event.image_index = index_in_entry++;
    const wire::DocumentView operation = element.value.as_document();
    if (const wire::ValueView time = operation.find_path("preImageOpTime.ts"); time.is(Type::Timestamp))
      event.image_time = time.as_timestamp();
    // A batched insert (8.0+) is no transaction: its events carry no session.
    if (entry.extra != nullptr && !entry.extra->multi_op_type) {
      event.lsid = entry.extra->lsid;
      event.txn_number = entry.extra->txn_number;
    }
    if (decode(inner_operation(operation), event)) out.push_back(std::move(event));
  }
}

// The entries of the transaction that ends at `last`, oldest first, by their prevOpTime.
std::vector<const OplogEntry*> transaction_entries(const Oplog& oplog, const OplogEntry& last) {
  std::vector<const OplogEntry*> out{&last};
  for (const OplogEntry* entry = &last; entry->extra != nullptr && !entry->extra->multi_op_type;) {
    const wire::Timestamp previous = entry->extra->previous_time.value_or(wire::Timestamp{});
    if (previous == wire::Timestamp{}) break;
    const OplogPosition at = oplog.lower_bound(previous);
    if (at == oplog.end() || oplog.at(at).time != previous)
      throw CommandError(
          code::change_stream_history_lost,
          "Unable to observe all of the operations of a committed transaction: the oplog no longer has them");
    entry = &oplog.at(at);
    out.push_back(entry);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

// A transaction's events appear at its last entry: the one that commits a prepared transaction at a time, else the applyOps that is
// neither partial nor prepared.
bool ends_transaction(const OplogEntry& entry) {
  if (entry.op != Op::Command) return false;
  if (entry.o.has("commitTimestamp")) return true;
  return entry.o["applyOps"].is(Type::Array) && !entry.o.has("partialTxn") && !entry.o.has("prepare");
}

// No-op entries that name a collection tell of a DDL of shards: {<what>: "db.coll", …}.
bool decode_sharding(const OplogEntry& entry, ChangeEvent& event) {
  const std::string_view what = entry.o2.view().first().name;
  if (what == "shardCollection")
    event.kind = EventKind::ShardCollection;
  else if (what == "refineCollectionShardKey")
    event.kind = EventKind::RefineCollectionShardKey;
  else if (what == "reshardCollection")
    event.kind = EventKind::ReshardCollection;
  else
    return false;
  event.db = entry.ns->db;
  event.collection = entry.ns->collection;
  event.uuid = entry.ns->uuid;
  event.operation_description = without_first(entry.o2);
  return true;
}

constexpr std::string_view scripted_field = "scriptedEvent";

void decode_scripted(const OplogEntry& entry, ChangeEvent& event) {
  event.kind = EventKind::Scripted;
  event.db = entry.ns->db;
  event.collection = entry.ns->collection;
  event.document = wire::Document(entry.o2[scripted_field].as_document());
  if (entry.has_uuid) event.uuid = entry.ns->uuid;
}

}  // namespace

OplogEntry scripted_entry(OplogNamespacePtr ns, wire::DocumentView document) {
  OplogEntry entry;
  entry.op = Op::Noop;
  entry.ns = std::move(ns);
  wire::DocumentBuilder message;
  entry.o = message.append_string("msg", "scripted event").finish();
  wire::DocumentBuilder o2;
  entry.o2 = o2.append_document(scripted_field, document).finish();
  return entry;
}

bool is_scripted(const OplogEntry& entry) {
  return entry.op == Op::Noop && entry.ns != nullptr && entry.o2.has(scripted_field);
}

namespace {

ChangeEvent base_of(const OplogEntry& entry, OplogPosition position) {
  ChangeEvent base;
  base.time = entry.time;
  base.wall_ms = entry.wall_ms;
  base.image_time = entry.time;
  if (entry.extra != nullptr && entry.extra->image_time && !entry.extra->image_is_post)
    base.image_time = *entry.extra->image_time;
  base.reference.position = position;
  return base;
}

}  // namespace

std::optional<ChangeEvent> event_of(const OplogEntry& entry, OplogPosition position) {
  ChangeEvent event = base_of(entry, position);
  if (is_scripted(entry)) {
    decode_scripted(entry, event);
    return event;
  }
  if (entry.ns == nullptr) return std::nullopt;
  if (entry.op == Op::Noop) return decode_sharding(entry, event) ? std::optional(event) : std::nullopt;
  Operation operation;
  operation.op = static_cast<char>(entry.op);
  operation.db = entry.ns->db;
  operation.collection = entry.ns->collection;
  if (entry.has_uuid) operation.uuid = entry.ns->uuid;
  operation.o = entry.o;
  operation.o2 = entry.o2;
  if (!decode(operation, event)) return std::nullopt;
  return event;
}

std::vector<ChangeEvent> events_of(const Oplog& oplog, OplogPosition position) {
  const OplogEntry& entry = oplog.at(position);
  std::vector<ChangeEvent> out;
  if (ends_transaction(entry)) {
    std::int64_t index = 0;
    for (const OplogEntry* part : transaction_entries(oplog, entry))
      if (part->o["applyOps"].is(Type::Array)) decode_apply_ops(*part, base_of(entry, position), index, out);
  } else if (std::optional<ChangeEvent> event = event_of(entry, position)) {
    out.push_back(std::move(*event));
  }
  return out;
}

}  // namespace emulator
