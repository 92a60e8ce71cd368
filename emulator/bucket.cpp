#include "emulator/bucket.h"

namespace emulator {
namespace {

std::string_view name_in(wire::DocumentView series, std::string_view field) {
  const wire::ValueView name = series[field];
  return name.is(wire::Type::String) ? name.as_string() : std::string_view();
}

}  // namespace

std::vector<wire::Document> unpack_bucket(wire::DocumentView bucket, wire::DocumentView series) {
  const std::string_view time_field = name_in(series, "timeField");
  const std::string_view meta_field = name_in(series, "metaField");
  const wire::ValueView data = bucket["data"];
  std::vector<wire::Document> measurements;
  if (!data.is(wire::Type::Document)) return measurements;
  const wire::ValueView times = data.as_document()[time_field];
  if (!times.is(wire::Type::Document)) return measurements;
  // The time has a value in every row; other columns leave out the rows that lack them.
  for (const auto& [row, time] : times.as_document()) {
    wire::DocumentBuilder out;
    out.append(time_field, time);
    if (const wire::ValueView meta = bucket["meta"]; meta && !meta_field.empty()) out.append(meta_field, meta);
    for (const auto& [name, column] : data.as_document()) {
      if (name == time_field || !column.is(wire::Type::Document)) continue;
      if (const wire::ValueView value = column.as_document()[row]) out.append(name, value);
    }
    measurements.push_back(out.finish());
  }
  return measurements;
}

wire::Document pack_bucket(wire::DocumentView measurement, wire::DocumentView series, const wire::ObjectId& id) {
  const std::string_view meta_field = name_in(series, "metaField");
  wire::DocumentBuilder fields;
  wire::DocumentBuilder data;
  for (const auto& [name, value] : measurement) {
    if (!meta_field.empty() && name == meta_field) continue;
    fields.append(name, value);
    data.begin_document(name).append("0", value).end();
  }
  const wire::Document extremes = fields.finish();
  wire::DocumentBuilder bucket;
  bucket.append_object_id("_id", id).begin_document("control").append_int32("version", 1);
  bucket.append_document("min", extremes).append_document("max", extremes).end();
  if (!meta_field.empty())
    if (const wire::ValueView meta = measurement[meta_field]) bucket.append("meta", meta);
  return bucket.append_document("data", data.finish()).finish();
}

}  // namespace emulator
