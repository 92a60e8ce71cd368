#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/create_options.h"
#include "emulator/deployment.h"
#include "emulator/dispatch.h"
#include "emulator/query.h"
#include "emulator/views.h"
#include "emulator/write.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("index"),
                            std::string_view("validator"),
                            std::string_view("validationLevel"),
                            std::string_view("validationAction"),
                            std::string_view("viewOn"),
                            std::string_view("pipeline"),
                            std::string_view("changeStreamPreAndPostImages"),
                            std::string_view("expireAfterSeconds"),
                            std::string_view("timeseries"),
                            std::string_view("cappedSize"),
                            std::string_view("cappedMax"),
                            std::string_view("dryRun"),
                            std::string_view("recordPreImages"),
                            std::string_view("isTimeseriesNamespace"),
                            std::string_view("maxTimeMS")};

// The oplog names an index by its name, however the client did, and its expiry is an int64.
wire::Document index_modification(std::string_view name, wire::DocumentView change) {
  wire::DocumentBuilder out;
  out.append_string("name", name);
  for (const wire::Element& element : change) {
    if (element.name == "expireAfterSeconds")
      out.append_int64(element.name, whole_number(element.value));
    else if (element.name != "name" && element.name != "keyPattern")
      out.append(element.name, element.value);
  }
  return out.finish();
}

// The fields of the modification that go into the oplog, in the order given.
wire::Document modification(const Request& request, std::string_view index_name) {
  wire::DocumentBuilder out;
  for (const wire::Element& element : request.body) {
    if (std::ranges::find(fields, element.name) == fields.end() || element.name == "maxTimeMS") continue;
    if (element.name == "index" && element.value.is(wire::Type::Document))
      out.append_document(element.name, index_modification(index_name, element.value.as_document()));
    else
      out.append(element.name, element.value);
  }
  return out.finish();
}

std::string nothing_to_change(Wording wording) {
  if (wording <= Wording::V4_2) return "no expireAfterSeconds field";
  if (wording <= Wording::V4_4) return "no expireAfterSeconds or hidden field";
  return "no expireAfterSeconds, hidden, unique, or prepareUnique field";
}

const Index& chosen_index(const Collection& collection, const Arguments& index, Wording wording) {
  const std::optional<std::string_view> name = index.text("name");
  const wire::DocumentView pattern = index.object("keyPattern");
  if (!name && pattern.empty()) throw CommandError(72, "Must specify either index name or key pattern.");
  const bool knows_hidden = wording > Wording::V4_2;
  const bool knows_unique = wording > Wording::V5_0;
  const bool changes = index["expireAfterSeconds"] || (knows_hidden && index["hidden"]) ||
                       (knows_unique && (index["unique"] || index["prepareUnique"]));
  if (!changes) throw CommandError(72, nothing_to_change(wording));
  if (name == "_id_" && index["hidden"]) throw CommandError(2, "can't hide _id index");
  for (const auto& candidate : collection.indexes())
    if (name ? candidate->spec().name == *name : candidate->spec().key.view().identical(pattern)) return *candidate;
  throw CommandError(
      27, "cannot find index " + std::string(name.value_or("")) + " for ns " + collection.identity()->full());
}

struct IndexChange {
  wire::Document spec;
  wire::Document old_options;
};

// Changes the spec's expiry and hiding, and says in the reply what they were.
IndexChange change_index(wire::DocumentBuilder& reply, const IndexSpec& index, const Arguments& change,
                         Wording wording) {
  // Up to 4.4 the reply repeats what was kept and what came; then it is an int32, and an int64 from 6.0 on.
  const auto append_seconds = [&](std::string_view name, wire::ValueView seconds) {
    if (wording <= Wording::V4_4)
      reply.append(name, seconds);
    else if (wording <= Wording::V5_0)
      reply.append_int32(name, static_cast<std::int32_t>(whole_number(seconds)));
    else
      reply.append_int64(name, whole_number(seconds));
  };
  const wire::ValueView old_expiry = index.spec["expireAfterSeconds"];
  const std::optional<std::int64_t> expiry = change.whole("expireAfterSeconds");
  const bool changes_hidden = !change["hidden"].is_nullish();
  const bool hidden = change.flag("hidden");
  const bool old_hidden = is_truthy(index.spec["hidden"]);
  wire::DocumentBuilder spec;
  wire::DocumentBuilder old_options;
  for (const wire::Element& element : index.spec) {
    if (element.name == "hidden" && changes_hidden) continue;
    if (element.name == "expireAfterSeconds" && expiry)
      spec.append_int64(element.name, *expiry);
    else
      spec.append(element.name, element.value);
  }
  if (expiry) {
    if (old_expiry) {
      append_seconds("expireAfterSeconds_old", old_expiry);
      old_options.append_int64("expireAfterSeconds", whole_number(old_expiry));
    } else {
      spec.append_int64("expireAfterSeconds", *expiry);
    }
    append_seconds("expireAfterSeconds_new", change["expireAfterSeconds"]);
  }
  if (changes_hidden) {
    if (hidden) spec.append_bool("hidden", true);
    reply.append_bool("hidden_old", old_hidden).append_bool("hidden_new", hidden);
    old_options.append_bool("hidden", old_hidden);
  }
  return {spec.finish(), old_options.finish()};
}

wire::Document changed_options(const Context& context, const Collection& collection, const Arguments& arguments) {
  wire::Document options = collection.options();
  if (const std::optional<bool> images = read_images_option(arguments, "collMod", context.profile())) {
    wire::DocumentBuilder enabled;
    enabled.append_bool("enabled", true);
    options = with_option(options, "changeStreamPreAndPostImages",
                          *images ? wire::Value::document(enabled.view()).view() : wire::ValueView());
  }
  if (!arguments["recordPreImages"].is_nullish()) {
    const bool record = context.profile().wording <= Wording::V4_4 ? is_truthy(arguments["recordPreImages"])
                                                                   : arguments.flag("recordPreImages");
    options = with_option(options, "recordPreImages", record ? wire::Value::boolean(true).view() : wire::ValueView());
  }
  if (!arguments["validator"].is_nullish()) {
    try {
      Matcher::parse(arguments.object("validator"), match_context(context, MatchPlace::Validator));
    } catch (const CommandError& error) {
      throw CommandError(error.code, "Parsing of collection validator failed :: caused by :: " + error.message);
    }
    options = with_option(options, "validator", arguments["validator"]);
    // Once there is a validator, how strict it is is said too.
    if (!options.has("validationLevel"))
      options = with_option(options, "validationLevel", wire::Value::string("strict"));
    if (!options.has("validationAction"))
      options = with_option(options, "validationAction", wire::Value::string("error"));
  }
  for (const std::string_view name : {"validationLevel", "validationAction", "expireAfterSeconds"})
    if (!arguments[name].is_nullish()) options = with_option(options, name, arguments[name]);
  return options;
}

void check_enumerations(const Arguments& arguments) {
  const auto check = [&](std::string_view name, std::initializer_list<std::string_view> allowed) {
    const std::optional<std::string_view> value = arguments.text(name);
    if (value && std::ranges::find(allowed, *value) == allowed.end())
      throw CommandError(2, "Enumeration value '" + std::string(*value) + "' for field 'collMod." + std::string(name) +
                                "' is not a valid value.");
  };
  check("validationLevel", {"off", "strict", "moderate"});
  check("validationAction", {"error", "warn"});
}

constexpr std::array field_versions{FieldVersion{"changeStreamPreAndPostImages", 17},
                                    FieldVersion{"timeseries", 13},
                                    FieldVersion{"expireAfterSeconds", 13},
                                    FieldVersion{"cappedSize", 17},
                                    FieldVersion{"cappedMax", 17},
                                    FieldVersion{"dryRun", 17},
                                    FieldVersion{"recordPreImages", 9},
                                    FieldVersion{"isTimeseriesNamespace", 13}};

// Up to 4.4 the options are read by hand, once the collection is found.
void check_by_hand(const Context& context) {
  const auto text_of = [&](std::string_view name) -> std::string_view {
    const wire::ValueView value = context.request[name];
    if (value && !value.is(wire::Type::String))
      throw CommandError(13111, "wrong type for field (" + std::string(name) + ") " +
                                    std::string(wire::type_name(value.type())) + " != string");
    return value ? value.as_string() : std::string_view();
  };
  if (const auto unknown = unknown_field_of(context.request, *context.exchange.command, context.profile()))
    throw CommandError(72, "unknown option to collMod: " + std::string(*unknown));
  for (const std::string_view name : {"index", "validator"})
    if (const wire::ValueView value = context.request[name]; value && !value.is(wire::Type::Document))
      throw CommandError(10065, "invalid parameter: expected an object (" + std::string(name) + ")");
  const std::string level(text_of("validationLevel"));
  if (!level.empty() && level != "off" && level != "strict" && level != "moderate")
    throw CommandError(2, "invalid validation level: " + level);
  const std::string action(text_of("validationAction"));
  if (!action.empty() && action != "warn" && action != "error")
    throw CommandError(2, "invalid validation action: " + action);
}

// viewOn and pipeline, the only options that a view has.
wire::Document view_changes(const Context& context, const Arguments& arguments) {
  const bool by_hand = context.profile().wording <= Wording::V4_4;
  if (!by_hand && arguments.text("viewOn") == "") throw CommandError(2, "'viewOn' cannot be empty");
  if (!by_hand) arguments.array("pipeline");
  wire::DocumentBuilder changes;
  bool first = true;
  for (const auto& [name, value] : arguments.document()) {
    if (std::exchange(first, false) || is_generic_field(name, context.profile()) || value.is_nullish()) continue;
    if (name != "viewOn" && name != "pipeline")
      throw CommandError(72, "option not supported on a view: " + std::string(name));
    if (name == "viewOn" && !value.is(wire::Type::String)) throw CommandError(72, "'viewOn' option must be a string");
    if (name == "pipeline" && !value.is(wire::Type::Array)) throw CommandError(72, "not a valid aggregation pipeline");
    changes.append(name, value);
  }
  return changes.finish();
}

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const Arguments arguments(context.request.body, "collMod");
  const bool by_hand = context.profile().wording <= Wording::V4_4;
  if (!by_hand) {
    check_enumerations(arguments);
    read_images_option(arguments, "collMod", context.profile());
  }
  Writer writer(context);
  Collection* collection = context.deployment.store.find(context.request.db, name);
  if (collection == nullptr) throw CommandError(26, "ns does not exist");
  require_unused(context.deployment, context.request.db, name);
  if (collection->kind() == CollectionKind::View) {
    modify_view(context, writer, *collection, view_changes(context, arguments));
    context.exchange.operation_time = writer.last_time();
    return Replied{};
  }
  if (by_hand) check_by_hand(context);
  if (!arguments["viewOn"].is_nullish())
    throw CommandError(72, context.profile().wording <= Wording::V4_4 ? "'viewOn' option only supported on a view"
                                                                      : "option only supported on a view: viewOn");
  if (!arguments["expireAfterSeconds"].is_nullish() && !collection->clustered())
    throw CommandError(72, "'expireAfterSeconds' option is only supported on collections clustered by _id");
  const wire::Document options = changed_options(context, *collection, arguments);
  wire::Document old_index_options;
  std::string index_name;
  if (!arguments["index"].is_nullish()) {
    const Arguments change(arguments.object("index"), "collMod.index");
    const Index& index = chosen_index(*collection, change, context.profile().wording);
    index_name = index.spec().name;
    IndexChange changed = change_index(context.reply, index.spec(), change, context.profile().wording);
    old_index_options = changed.old_options;
    collection->set_index_spec(index_name, std::move(changed.spec));
  }
  writer.modify(*collection, modification(context.request, index_name), options, old_index_options);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec coll_mod_command{.name = "collMod",
                                                    .runs_on = RunsOn::Primary,
                                                    .write_concern = WriteConcern::Supported,
                                                    .api_version_1 = ApiVersion1::Yes,
                                                    .fields = fields,
                                                    .field_versions = field_versions,
                                                    .authorized = on_collection<Action::CollMod>,
                                                    .run = run,
                                                    .help = "Changes options of a collection, view or index."};

}  // namespace emulator
