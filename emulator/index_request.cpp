#include "emulator/index_request.h"

#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/collation.h"
#include "emulator/error_codes.h"
#include "emulator/query.h"
#include "emulator/transaction.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

constexpr std::array known_fields{std::string_view("key"),
                                  std::string_view("name"),
                                  std::string_view("v"),
                                  std::string_view("ns"),
                                  std::string_view("background"),
                                  std::string_view("unique"),
                                  std::string_view("sparse"),
                                  std::string_view("hidden"),
                                  std::string_view("expireAfterSeconds"),
                                  std::string_view("collation"),
                                  std::string_view("partialFilterExpression"),
                                  std::string_view("storageEngine"),
                                  std::string_view("weights"),
                                  std::string_view("default_language"),
                                  std::string_view("language_override"),
                                  std::string_view("textIndexVersion"),
                                  std::string_view("2dsphereIndexVersion"),
                                  std::string_view("bits"),
                                  std::string_view("min"),
                                  std::string_view("max"),
                                  std::string_view("wildcardProjection"),
                                  std::string_view("dropDups"),
                                  std::string_view("clustered"),
                                  std::string_view("prepareUnique"),
                                  std::string_view("coarsestIndexedLevel"),
                                  std::string_view("finestIndexedLevel"),
                                  std::string_view("bucketSize"),
                                  std::string_view("originalSpec")};

// A specification that may be refused, and in whose words.
struct Refusal {
  wire::DocumentView given;
  Wording wording;
};

[[noreturn]] void wrong(const Refusal& refusal, int code, const std::string& reason) {
  const wire::DocumentView given = refusal.given;
  if (refusal.wording <= Wording::V4_2) throw CommandError(code, reason);
  throw CommandError(code, "Error in specification " + bson_text(given) + " :: caused by :: " + reason);
}

void check_key(const Refusal& given, wire::DocumentView key) {
  if (key.empty()) wrong(given, 67, "Index keys cannot be empty.");
  static constexpr std::array plugins{std::string_view("hashed"), std::string_view("text"), std::string_view("2d"),
                                      std::string_view("2dsphere")};
  for (const wire::Element& field : key) {
    if (field.name.empty()) wrong(given, 67, "Index keys cannot be an empty field.");
    if (field.value.is(wire::Type::String)) {
      if (std::ranges::find(plugins, field.value.as_string()) == plugins.end())
        wrong(given, 67, "Unknown index plugin '" + std::string(field.value.as_string()) + "'");
    } else if (!field.value.is_number()) {
      wrong(given, 67,
            "Values in v:2 index key pattern cannot be of type " + std::string(wire::type_name(field.value.type())) +
                ". Only numbers > 0, numbers < 0, and strings are allowed.");
    } else if (!is_truthy(field.value)) {
      wrong(given, 67, "Values in the index key pattern cannot be 0.");
    }
  }
}

// Of a text index the catalog keeps the words' fields and its settings.
void append_text_index(wire::DocumentBuilder& out, wire::DocumentView key, wire::DocumentView given) {
  wire::DocumentBuilder weights;
  out.begin_document("key");
  bool words = false;
  for (const wire::Element& field : key) {
    if (!field.value.is(wire::Type::String)) {
      out.append(field.name, field.value);
      continue;
    }
    if (!std::exchange(words, true)) out.append_string("_fts", "text").append_int32("_ftsx", 1);
    weights.append_int32(field.name, 1);
  }
  out.end().append("name", given["name"]).append_document("weights", weights.view());
  out.append_string("default_language", "english").append_string("language_override", "language");
  out.append_int32("textIndexVersion", 3);
}

bool is_text(wire::DocumentView key) {
  return std::any_of(key.begin(), key.end(), [](const wire::Element& field) {
    return field.value.is(wire::Type::String) && field.value.as_string() == "text";
  });
}

// An index without a collation of its own has its collection's.
wire::Document collation_of(const Context& context, wire::DocumentView given) {
  const wire::ValueView own = given["collation"];
  if (own.is(wire::Type::Document)) {
    Collation::parse(own.as_document(), context.profile().wording);
    return whole_collation(own.as_document());
  }
  const wire::ValueView name = context.request.target();
  if (!name.is(wire::Type::String)) return {};
  const Collection* collection = find_collection(context, context.request.db, name.as_string());
  const wire::ValueView inherited = collection == nullptr ? wire::ValueView() : collection->options()["collation"];
  return inherited.is(wire::Type::Document) ? wire::Document(inherited.as_document()) : wire::Document();
}

wire::Document catalog_document(const Context& context, wire::DocumentView given, wire::DocumentView key) {
  wire::DocumentBuilder out;
  out.append_int32("v", 2);
  if (is_text(key)) {
    append_text_index(out, key, given);
    return out.finish();
  }
  // `unique` stands first where it is true, `hidden` and false options are not kept as such.
  if (is_truthy(given["unique"])) out.append_bool("unique", true);
  out.append_document("key", key).append("name", given["name"]);
  for (const wire::Element& field : given) {
    static constexpr std::array placed{std::string_view("v"),   std::string_view("unique"),
                                       std::string_view("key"), std::string_view("name"),
                                       std::string_view("ns"),  std::string_view("collation")};
    if (std::ranges::find(placed, field.name) != placed.end()) continue;
    const bool is_switch = field.name == "sparse" || field.name == "hidden" || field.name == "background";
    // `background` means nothing any more, and is kept as it was given.
    if (is_switch && !is_truthy(field.value) && field.name != "background") continue;
    if (field.name == "expireAfterSeconds")
      out.append_int32(field.name, static_cast<std::int32_t>(whole_number(field.value)));
    else if (is_switch)
      out.append_bool(field.name, is_truthy(field.value));
    else
      out.append(field.name, field.value);
  }
  if (const wire::Document collation = collation_of(context, given); !collation.is_default())
    out.append_document("collation", collation);
  return out.finish();
}

std::function<bool(wire::DocumentView)> read_partial_filter(const Context& context, wire::DocumentView given,
                                                            wire::DocumentView partial) {
  try {
    auto filter =
        std::make_shared<const Matcher>(Matcher::parse(partial, match_context(context, MatchPlace::PartialIndex)));
    return [filter](wire::DocumentView document) { return filter->matches(document); };
  } catch (const CommandError& error) {
    if (error.code == code::not_implemented) throw;
    wrong({given, context.profile().wording}, error.code, error.message);
  }
}

}  // namespace

IndexSpec read_index_spec(const Context& context, wire::DocumentView given) {
  const Refusal refusal{given, context.profile().wording};
  for (const wire::Element& field : given)
    if (std::ranges::find(known_fields, field.name) == known_fields.end() ||
        (field.name == "hidden" && refusal.wording <= Wording::V4_2))
      wrong(refusal, 197,
            "The field '" + std::string(field.name) +
                "' is not valid for an index specification. Specification: " + bson_text(given));
  const wire::ValueView key = given["key"];
  if (key.missing()) wrong(refusal, 9, "The 'key' field is a required property of an index specification");
  if (!key.is(wire::Type::Document))
    wrong(refusal, 14, "The field 'key' must be an object, but got " + std::string(wire::type_name(key.type())));
  check_key(refusal, key.as_document());
  const wire::ValueView name = given["name"];
  if (name.missing()) wrong(refusal, 9, "The 'name' field is a required property of an index specification");
  if (!name.is(wire::Type::String))
    wrong(refusal, 14, "The field 'name' must be a string, but got " + std::string(wire::type_name(name.type())));
  IndexSpec spec(catalog_document(context, given, key.as_document()));
  if (const wire::ValueView partial = given["partialFilterExpression"]) {
    if (!partial.is(wire::Type::Document))
      wrong(refusal, 14,
            "The field 'partialFilterExpression' must be an object, but got " +
                std::string(wire::type_name(partial.type())));
    spec.covers = read_partial_filter(context, given, partial.as_document());
  }
  return spec;
}

bool has_index(const Collection& collection, const IndexSpec& spec) {
  const wire::Element only = spec.key.view().first();
  if (only.name == "_id" && spec.key.view().count() == 1 && only.value.is_number()) return true;
  for (const auto& index : collection.indexes()) {
    const IndexSpec& standing = index->spec();
    const bool same_key_pattern = wire::compare_documents(standing.key, spec.key) == 0;
    if (standing.name == spec.name) {
      if (same_key_pattern && standing.unique == spec.unique && standing.sparse == spec.sparse) return true;
      throw CommandError(
          86,
          "An existing index has the same name as the requested index. When index names are not specified, they "
          "are auto generated and can cause conflicts. Please refer to our documentation. Requested index: " +
              bson_text(spec.spec) + ", existing index: " + bson_text(standing.spec));
    }
    if (same_key_pattern) throw CommandError(85, "Index already exists with a different name: " + standing.name);
  }
  return false;
}

}  // namespace emulator
