#include "emulator/views.h"

#include "emulator/bucket.h"
#include "emulator/deployment.h"
#include "emulator/facts/oplog_facts.h"

namespace emulator {
namespace {

constexpr std::string_view catalog = "system.views";
std::string full_name(const Context& context, std::string_view name) {
  return std::string(context.request.db) + "." + std::string(name);
}

// The document of system.views that is the view.
wire::Document view_document(std::string_view full, wire::DocumentView options) {
  wire::DocumentBuilder out;
  out.append_string("_id", full).append("viewOn", options["viewOn"]);
  if (const wire::ValueView pipeline = options["pipeline"])
    out.append("pipeline", pipeline);
  else
    out.begin_array("pipeline").end();
  if (const wire::ValueView collation = options["collation"]) out.append("collation", collation);
  return out.finish();
}

// The options as listCollections shows them: the document without its `_id`.
wire::Document view_options(const wire::Document& document) {
  wire::DocumentBuilder out;
  for (const wire::Element& element : document)
    if (element.name != "_id") out.append(element.name, element.value);
  return out.finish();
}

Collection& view_catalog(Context& context, Writer& writer) {
  Collection* found = context.deployment.store.find(context.request.db, catalog);
  return found != nullptr ? *found : writer.create(context.request.db, catalog, {});
}

std::optional<RecordId> record_of_view(const Collection& views, std::string_view full) {
  return views.record_of_id(wire::Value::string(full), ReadView{});
}

void throw_if(Failure failure) {
  if (failure) throw *failure;
}

void append_bounds(wire::DocumentBuilder& out, std::string_view name, std::string_view time_field) {
  out.begin_document(name).append_string("bsonType", "object");
  out.begin_array("required").item(wire::Value::string(time_field)).end();
  out.begin_document("properties").begin_document(time_field).append_string("bsonType", "date").end().end().end();
}

enum class BucketCount { Unknown, InControl };

// The validator that every collection of buckets has.
void append_bucket_validator(wire::DocumentBuilder& out, std::string_view time_field, BucketCount count) {
  const auto strings = [&](std::string_view name, std::initializer_list<std::string_view> texts) {
    out.begin_array(name);
    for (const std::string_view text : texts) out.append_string(out.item_name(), text);
    out.end();
  };
  const auto typed = [&](std::string_view name, std::string_view type) {
    out.begin_document(name).append_string("bsonType", type).end();
  };
  out.begin_document("validator").begin_document("$jsonSchema").append_string("bsonType", "object");
  strings("required", {"_id", "control", "data"});
  out.begin_document("properties");
  typed("_id", "objectId");
  out.begin_document("control").append_string("bsonType", "object");
  strings("required", {"version", "min", "max"});
  out.begin_document("properties");
  typed("version", "number");
  append_bounds(out, "min", time_field);
  append_bounds(out, "max", time_field);
  typed("closed", "bool");
  if (count == BucketCount::InControl)
    out.begin_document("count").append_string("bsonType", "number").append_int32("minimum", 1).end();
  out.end();
  if (count == BucketCount::InControl) out.append_bool("additionalProperties", false);
  out.end();
  typed("data", "object");
  out.begin_document("meta").end();
  out.end().append_bool("additionalProperties", false).end().end();
}

std::int32_t bucket_span_seconds(std::string_view granularity) {
  if (granularity == "minutes") return 86'400;
  if (granularity == "hours") return 2'592'000;
  return 3'600;
}

}  // namespace

std::string buckets_of(std::string_view time_series) { return "system.buckets." + std::string(time_series); }

void create_view(Context& context, Writer& writer, std::string_view name, wire::DocumentView options) {
  Collection& views = view_catalog(context, writer);
  const wire::Document document = view_document(full_name(context, name), options);
  throw_if(writer.insert(views, document));
  writer.create(context.request.db, name, view_options(document));
}

void modify_view(Context& context, Writer& writer, Collection& view, wire::DocumentView changes) {
  Collection& views = view_catalog(context, writer);
  const std::string full = view.identity()->full();
  wire::DocumentBuilder options;
  for (const auto& [name, value] : view.options()) {
    const wire::ValueView changed = changes[name];
    options.append(name, changed.is_nullish() ? value : changed);
  }
  const wire::Document document = view_document(full, options.finish());
  if (const std::optional<RecordId> record = record_of_view(views, full))
    throw_if(writer.update(views, *record, document, document));
  view.set_options(view_options(document));
}

void drop_view(Context& context, Writer& writer, Collection& view) {
  Collection& views = view_catalog(context, writer);
  const std::string full = view.identity()->full();
  const std::string buckets = buckets_of(view.identity()->collection);
  if (const std::optional<RecordId> record = record_of_view(views, full)) throw_if(writer.remove(views, *record));
  const bool time_series = view.kind() == CollectionKind::TimeSeries;
  writer.drop(view);
  if (!time_series) return;
  if (Collection* found = context.deployment.store.find(context.request.db, buckets)) writer.drop(*found);
}

void create_time_series(Context& context, Writer& writer, std::string_view name, wire::DocumentView options) {
  const wire::DocumentView given = options["timeseries"].as_document();
  const std::string_view time_field = given["timeField"].as_string();
  const std::string_view granularity = given.has("granularity") ? given["granularity"].as_string() : "seconds";
  const std::int32_t span = bucket_span_seconds(granularity);
  const std::string buckets = buckets_of(name);

  wire::DocumentBuilder series;
  series.append_string("timeField", time_field);
  if (const wire::ValueView meta = given["metaField"]) series.append("metaField", meta);
  series.append_string("granularity", granularity).append_int32("bucketMaxSpanSeconds", span);
  const wire::Document time_series = series.finish();

  wire::DocumentBuilder bucket_options;
  append_bucket_validator(bucket_options, time_field,
                          context.profile().oplog.buckets_are_counted ? BucketCount::InControl : BucketCount::Unknown);
  bucket_options.append_bool("clusteredIndex", true);
  if (const wire::ValueView expiry = options["expireAfterSeconds"]) bucket_options.append("expireAfterSeconds", expiry);
  bucket_options.append_document("timeseries", time_series);
  writer.create(context.request.db, buckets, bucket_options.finish());

  wire::DocumentBuilder view;
  view.append_string("_id", full_name(context, name)).append_string("viewOn", buckets).begin_array("pipeline");
  view.begin_document(view.item_name()).begin_document("$_internalUnpackBucket").append_string("timeField", time_field);
  if (const wire::ValueView meta = given["metaField"]) view.append("metaField", meta);
  view.append_int32("bucketMaxSpanSeconds", span).end().end().end();
  throw_if(writer.insert(view_catalog(context, writer), view.finish()));

  wire::DocumentBuilder shown;
  if (const wire::ValueView expiry = options["expireAfterSeconds"]) shown.append("expireAfterSeconds", expiry);
  shown.append_document("timeseries", time_series);
  auto identity = std::make_shared<OplogNamespace>(
      OplogNamespace{std::string(context.request.db), std::string(name), context.deployment.uuids.uuid()});
  context.deployment.store.create(std::move(identity), shown.finish());
}

Failure insert_measurement(Context& context, Writer& writer, const Collection& time_series,
                           const wire::Document& measurement) {
  const std::string time_field(time_series.options().find_path("timeseries.timeField").as_string());
  const wire::ValueView time = measurement[time_field];
  if (!time.is(wire::Type::DateTime))
    return CommandError(2, "'" + time_field + "' must be present and contain a valid BSON UTC datetime value");
  const std::string buckets = buckets_of(time_series.identity()->collection);
  const auto seconds = static_cast<std::uint32_t>(time.as_date_ms() / 1000 / 60 * 60);
  const wire::Document bucket = pack_bucket(measurement, time_series.options()["timeseries"].as_document(),
                                            context.deployment.object_ids.object_id(seconds));
  return writer.insert(writer.ensure(context.request.db, buckets), bucket);
}

}  // namespace emulator
