// The one builder of event documents and their tokens.
#include "emulator/change_event.h"

#include "emulator/facts/event_facts.h"

namespace emulator {

std::string_view operation_type(EventKind kind) {
  switch (kind) {
    case EventKind::Insert:
      return "insert";
    case EventKind::Update:
      return "update";
    case EventKind::Replace:
      return "replace";
    case EventKind::Delete:
      return "delete";
    case EventKind::Drop:
      return "drop";
    case EventKind::Rename:
      return "rename";
    case EventKind::DropDatabase:
      return "dropDatabase";
    case EventKind::Invalidate:
      return "invalidate";
    case EventKind::Create:
      return "create";
    case EventKind::CreateIndexes:
      return "createIndexes";
    case EventKind::DropIndexes:
      return "dropIndexes";
    case EventKind::Modify:
      return "modify";
    case EventKind::ShardCollection:
      return "shardCollection";
    case EventKind::RefineCollectionShardKey:
      return "refineCollectionShardKey";
    case EventKind::ReshardCollection:
      return "reshardCollection";
    case EventKind::Scripted:
      break;
  }
  return "";
}

bool is_classic(EventKind kind) { return kind <= EventKind::Invalidate || kind == EventKind::Scripted; }

ChangeEvent invalidate_after(const ChangeEvent& cause) {
  ChangeEvent event;
  event.kind = EventKind::Invalidate;
  event.caused_by = cause.kind;
  event.time = cause.time;
  event.wall_ms = cause.wall_ms;
  event.uuid = cause.uuid;
  event.operation_description = cause.operation_description;
  event.reference = cause.reference;
  event.reference.kind = 1;
  return event;
}

namespace {

bool describes_itself_in_version_1(EventKind kind) { return kind >= EventKind::Create; }

// {operationType, documentKey | operationDescription}, as version 2 tokens and expanded events' tokens hold it.
wire::Document identifier(const ChangeEvent& event) {
  const EventKind kind = event.kind == EventKind::Invalidate ? event.caused_by : event.kind;
  wire::DocumentBuilder out;
  if (kind == EventKind::Scripted) {
    for (const std::string_view field : {"operationType", "documentKey", "operationDescription"})
      if (const wire::ValueView value = event.document[field]) out.append(field, value);
    return out.finish();
  }
  out.append_string("operationType", operation_type(kind));
  if (event.is_write())
    out.append_document("documentKey", event.document_key);
  else if (!event.operation_description.is_default())
    out.append_document("operationDescription", event.operation_description);
  return out.finish();
}

}  // namespace

wire::ResumeToken event_token(const ChangeEvent& event, int token_version) {
  wire::ResumeToken token;
  token.cluster_time = event.time;
  token.version = token_version;
  token.kind = wire::ResumeToken::Kind::Event;
  token.txn_op_index = event.transaction_index;
  token.from_invalidate = event.kind == EventKind::Invalidate;
  token.uuid = event.uuid;
  if (token_version >= 2 || describes_itself_in_version_1(event.kind))
    token.event_identifier = wire::Value::document(identifier(event));
  else if (event.is_write())
    token.event_identifier = wire::Value::document(event.document_key);
  return token;
}

namespace {

void append_namespace(wire::DocumentBuilder& out, std::string_view field, const std::string& db,
                      const std::string& collection) {
  out.begin_document(field).append_string("db", db);
  if (!collection.empty()) out.append_string("coll", collection);
  out.end();
}

void append_image(wire::DocumentBuilder& out, std::string_view field, const Image& image) {
  if (image.state == Image::State::Null) out.append_null(field);
  if (image.state == Image::State::Present) out.append_document(field, image.document);
}

std::string_view namespace_type(const ChangeEvent& event) {
  if (!event.on_view) return "collection";
  const wire::ValueView on = event.operation_description["viewOn"];
  return on.is(wire::Type::String) && on.as_string().starts_with("system.buckets.") ? "timeseries" : "view";
}

void append_description(wire::DocumentBuilder& out, const ChangeEvent& event, const EventForm& form) {
  if (form.expanded && !event.is_write() && event.kind != EventKind::Invalidate &&
      !event.operation_description.is_default())
    out.append_document("operationDescription", event.operation_description);
  if (event.kind == EventKind::Update && form.raw_update) {
    constexpr std::int32_t diff_version = 2;
    out.begin_document("rawUpdateDescription").append_int32("$v", diff_version);
    out.append_document("diff", event.diff).end();
  } else if (event.kind == EventKind::Update && !event.set_and_unset.is_default()) {
    append_update_description("updateDescription", event.set_and_unset, out);
  } else if (event.kind == EventKind::Update) {
    const bool disambiguated = form.expanded && form.profile->events.disambiguated_paths;
    append_update_description("updateDescription", event.diff,
                              disambiguated ? DisambiguatedPaths::Yes : DisambiguatedPaths::No, out);
  }
  if (event.kind == EventKind::Modify && !event.on_view && !event.state_before_change.is_default())
    out.append_document("stateBeforeChange", event.state_before_change);
  if (event.kind == EventKind::Create && form.expanded && form.profile->events.ns_type)
    out.append_string("nsType", namespace_type(event));
}

// The document as it is; what it lacks of _id, clusterTime, wallTime and ns is filled in, and left out where it says null.
wire::Document build_scripted(const ChangeEvent& event, const EventForm& form) {
  const wire::DocumentView document = event.document;
  wire::DocumentBuilder out;
  const auto own = [&](std::string_view field) {
    if (!document[field].is(wire::Type::Null)) out.append(field, document[field]);
  };
  if (document.has("_id"))
    own("_id");
  else
    out.append_document("_id", wire::encode(event_token(event, form.token_version)));
  if (document.has("operationType")) out.append("operationType", document["operationType"]);
  if (document.has("clusterTime"))
    own("clusterTime");
  else
    out.append_timestamp("clusterTime", event.time);
  if (document.has("wallTime"))
    own("wallTime");
  else
    out.append_date("wallTime", event.wall_ms);
  for (const auto& [name, value] : document) {
    if (name == "_id" || name == "operationType" || name == "clusterTime" || name == "wallTime") continue;
    if (name != "ns" || !value.is(wire::Type::Null)) out.append(name, value);
  }
  if (!document.has("ns")) append_namespace(out, "ns", event.db, event.collection);
  return out.finish();
}

}  // namespace

// The order of fields is server-facts §2.2.
wire::Document build_event(const ChangeEvent& event, const EventForm& form) {
  if (event.kind == EventKind::Scripted) return build_scripted(event, form);
  wire::DocumentBuilder out;
  if (event.kind == EventKind::Rename) append_namespace(out, "to", event.to_db, event.to_collection);
  if (event.txn_number >= 0) out.append_int64("txnNumber", event.txn_number);
  if (!event.lsid.is_default()) out.append_document("lsid", event.lsid);
  out.append_document("_id", wire::encode(event_token(event, form.token_version)));
  out.append_string("operationType", operation_type(event.kind)).append_timestamp("clusterTime", event.time);
  const bool shows_uuid = form.expanded && event.uuid && !event.on_view && event.kind != EventKind::Invalidate;
  if (shows_uuid) out.append_binary("collectionUUID", 4, *event.uuid);
  if (form.profile->events.wall_time) out.append_date("wallTime", event.wall_ms);
  const bool image_last = form.profile->events.full_document_last;
  if (event.kind == EventKind::Insert || event.kind == EventKind::Replace)
    out.append_document("fullDocument", event.document);
  else if (!image_last)
    append_image(out, "fullDocument", event.full_document);
  const bool image_before_ns = form.profile->events.pre_image_place == EventFacts::PreImagePlace::BeforeNs;
  if (image_before_ns) append_image(out, "fullDocumentBeforeChange", event.before_change);
  if (event.kind != EventKind::Invalidate) append_namespace(out, "ns", event.db, event.collection);
  if (event.is_write()) out.append_document("documentKey", event.document_key);
  append_description(out, event, form);
  if (!image_before_ns) append_image(out, "fullDocumentBeforeChange", event.before_change);
  if (image_last && event.kind == EventKind::Update) append_image(out, "fullDocument", event.full_document);
  return out.finish();
}

}  // namespace emulator
