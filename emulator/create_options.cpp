#include "emulator/create_options.h"

#include <array>
#include <limits>

#include "emulator/collation.h"
#include "emulator/facts/image_facts.h"
#include "emulator/query.h"

namespace emulator {
namespace {

// The order of CollectionOptions::toBSON.
constexpr std::array order{std::string_view("capped"),
                           std::string_view("size"),
                           std::string_view("max"),
                           std::string_view("temp"),
                           std::string_view("recordPreImages"),
                           std::string_view("changeStreamPreAndPostImages"),
                           std::string_view("storageEngine"),
                           std::string_view("indexOptionDefaults"),
                           std::string_view("validator"),
                           std::string_view("validationLevel"),
                           std::string_view("validationAction"),
                           std::string_view("collation"),
                           std::string_view("viewOn"),
                           std::string_view("pipeline"),
                           std::string_view("clusteredIndex"),
                           std::string_view("expireAfterSeconds"),
                           std::string_view("timeseries"),
                           std::string_view("encryptedFields")};

void append_whole(wire::DocumentBuilder& out, std::string_view name, std::int64_t value) {
  if (value == static_cast<std::int32_t>(value))
    out.append_int32(name, static_cast<std::int32_t>(value));
  else
    out.append_int64(name, value);
}

constexpr std::int64_t capped_bytes_max = std::int64_t{1} << 50;
constexpr std::int64_t capped_documents_end = std::int64_t{1} << 31;

CommandError out_of_range(std::string_view field, std::string_view bound, std::int64_t value) {
  return {51024, "BSON field '" + std::string(field) + "' value must be " + std::string(bound) + ", actual value '" +
                     std::to_string(value) + "'"};
}

void check_range(std::int64_t bytes, std::int64_t documents, Wording wording) {
  if (wording <= Wording::V4_4) {
    check_capped_bytes(bytes);
    if (documents >= capped_documents_end && documents != std::numeric_limits<std::int64_t>::max())
      throw CommandError(2, "max in a capped collection has to be < 2^31 or not set");
    return;
  }
  if (bytes < 1) throw out_of_range("size", ">= 1", bytes);
  if (bytes > capped_bytes_max) throw out_of_range("size", "<= 1125899906842624", bytes);
  if (documents >= capped_documents_end) throw out_of_range("max", "< 2147483648", documents);
}

void append_capped(wire::DocumentBuilder& out, const Arguments& arguments, Wording wording) {
  const bool capped = arguments.flag("capped");
  const std::optional<std::int64_t> size = arguments.whole("size");
  const std::optional<std::int64_t> max = arguments.whole("max");
  check_range(size.value_or(1), max.value_or(0), wording);
  if (capped && !size) throw CommandError(72, "the 'size' field is required when 'capped' is true");
  if (!capped && (size || max))
    throw CommandError(72, "the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  if (!capped) return;
  out.append_bool("capped", true);
  append_whole(out, "size", (*size + 0xFF) & ~std::int64_t{0xFF});
  if (!max) return;
  const bool is_bound = *max > 0 && *max < capped_documents_end;
  append_whole(out, "max", is_bound ? *max : capped_documents_end - 1);
}

void append_validation(wire::DocumentBuilder& out, const Context& context, const Arguments& arguments) {
  const wire::DocumentView validator = arguments.object("validator");
  if (!validator.empty()) {
    Matcher::parse(validator, match_context(context, MatchPlace::Validator));
    out.append_document("validator", validator);
  }
  for (const std::string_view name : {"validationLevel", "validationAction"})
    if (const auto text = arguments.text(name)) out.append_string(name, *text);
}

void append_clustered(wire::DocumentBuilder& out, const Context& context, const Arguments& arguments) {
  const wire::ValueView given = arguments["clusteredIndex"];
  if (context.profile().wording <= Wording::V5_0) arguments.flag("clusteredIndex");  // there it is a bool
  if (given.is_nullish() || !is_truthy(given)) return;
  if (!given.is(wire::Type::Document)) {
    out.append_bool("clusteredIndex", true);
    return;
  }
  const Arguments index(given.as_document(), "create.clusteredIndex");
  index.required("key");
  if (!index.flag("unique"))
    throw CommandError(5979700, "The clusteredIndex option requires unique: true to be specified");
  out.begin_document("clusteredIndex").append_int32("v", 2).append_document("key", index.object("key"));
  out.append_string("name", index.text("name").value_or("_id_")).append_bool("unique", true).end();
}

void append_time_series(wire::DocumentBuilder& out, const Arguments& series) {
  const std::optional<std::string_view> time_field = series.text("timeField");
  if (!time_field)
    throw CommandError(40414, "BSON field 'create.timeseries.timeField' is missing but a required field");
  out.begin_document("timeseries").append_string("timeField", *time_field);
  if (const auto meta_field = series.text("metaField")) out.append_string("metaField", *meta_field);
  if (const auto granularity = series.text("granularity")) {
    if (granularity != "seconds" && granularity != "minutes" && granularity != "hours")
      throw CommandError(2, "Enumeration value '" + std::string(*granularity) +
                                "' for field 'create.timeseries.granularity' is not a valid value.");
    out.append_string("granularity", *granularity);
  }
  out.end();
}

void check_view(const Context& context, const Arguments& arguments, std::string_view view_on) {
  if (view_on.empty()) throw CommandError(2, "'viewOn' cannot be empty");
  for (const wire::Element& element : arguments.document()) {
    static constexpr std::array only_collections{std::string_view("capped"),
                                                 std::string_view("validator"),
                                                 std::string_view("timeseries"),
                                                 std::string_view("clusteredIndex"),
                                                 std::string_view("size"),
                                                 std::string_view("max"),
                                                 std::string_view("changeStreamPreAndPostImages")};
    for (const std::string_view name : only_collections)
      if (element.name == name) throw CommandError(72, "option not supported on a view: " + std::string(name));
  }
  if (context.transaction != nullptr) throw CommandError(263, "Cannot create a view in a multi-document transaction.");
}

// A view takes it and forgets it.
void append_record_pre_images(wire::DocumentBuilder& out, const Context& context, const Arguments& arguments) {
  if (!arguments.flag("recordPreImages") || arguments["viewOn"]) return;
  const std::string_view db = context.request.db;
  if (db == "admin" || db == "local")
    throw CommandError(72,
                       "recordPreImages collection option is not supported on the " + std::string(db) + " database");
  out.append_bool("recordPreImages", true);
}

void check_images(const Context& context, std::string_view name, const Arguments& arguments) {
  const std::string_view db = context.request.db;
  if (db == "admin" || db == "local" || db == "config")
    throw CommandError(
        72, "changeStreamPreAndPostImages collection option is not supported on the " + std::string(db) + " database");
  if (!arguments["timeseries"].is_nullish())
    throw CommandError(72, std::string(db) + "." + std::string(name) +
                               ": 'timeseries' is not allowed with 'changeStreamPreAndPostImages'");
}

}  // namespace

std::optional<bool> read_images_option(const Arguments& arguments, std::string_view path, const Profile& profile) {
  const wire::ValueView given = arguments["changeStreamPreAndPostImages"];
  if (given && profile.images.pre_images != ImageFacts::PreImages::Collection)
    throw CommandError(40415,
                       "BSON field '" + std::string(path) + ".changeStreamPreAndPostImages' is an unknown field.");
  if (given.is_nullish()) return std::nullopt;
  static constexpr std::array fields{std::string_view("enabled")};
  const Arguments images(arguments.object("changeStreamPreAndPostImages"),
                         std::string(path) + ".changeStreamPreAndPostImages");
  images.only(fields);
  images.required("enabled");
  return images.boolean("enabled");
}

wire::Document with_option(const wire::Document& options, std::string_view name, wire::ValueView value) {
  wire::DocumentBuilder out;
  for (const std::string_view field : order) {
    const wire::ValueView kept = field == name ? value : options[field];
    if (kept) out.append(field, kept);
  }
  return out.finish();
}

void check_capped_bytes(std::int64_t bytes) {
  if (bytes < 0) throw CommandError(2, "size has to be >= 0");
  if (bytes > capped_bytes_max) throw CommandError(2, "size cannot exceed 1 PB");
}

wire::Document read_create_options(const Context& context, std::string_view name, const Arguments& arguments) {
  wire::DocumentBuilder out;
  append_capped(out, arguments, context.profile().wording);
  const std::optional<bool> images = read_images_option(arguments, "create", context.profile());
  const std::optional<std::string_view> view_on = arguments.text("viewOn");
  if (view_on) check_view(context, arguments, *view_on);
  if (images) check_images(context, name, arguments);
  append_record_pre_images(out, context, arguments);
  if (images.value_or(false)) out.begin_document("changeStreamPreAndPostImages").append_bool("enabled", true).end();
  append_validation(out, context, arguments);
  Collation::parse(arguments.object("collation"), context.profile().wording);
  const wire::Document collation = whole_collation(arguments.object("collation"));
  if (!collation.is_default()) out.append_document("collation", collation);
  const std::optional<wire::DocumentView> pipeline = arguments.array("pipeline");
  if (pipeline && !view_on) throw CommandError(72, "'pipeline' requires 'viewOn' to also be specified");
  if (view_on) {
    out.append_string("viewOn", *view_on);
    out.append_array("pipeline", pipeline.value_or(wire::DocumentView()));
  }
  append_clustered(out, context, arguments);
  if (const wire::ValueView expiry = arguments["expireAfterSeconds"]; expiry.is_number()) {
    if (arguments["timeseries"].is_nullish() && arguments["clusteredIndex"].is_nullish())
      throw CommandError(72,
                         "'expireAfterSeconds' requires either 'timeseries' or 'clusteredIndex' to also be specified");
    out.append("expireAfterSeconds", expiry);
  }
  if (!arguments["timeseries"].is_nullish()) {
    append_time_series(out, Arguments(arguments.object("timeseries"), "create.timeseries"));
  }
  return out.finish();
}

}  // namespace emulator
