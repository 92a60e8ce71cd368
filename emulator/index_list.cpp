#include "emulator/index_list.h"

#include <array>
#include <string_view>

#include "emulator/index_description.h"

namespace emulator {
namespace {

wire::Document id_index(const Collection& collection) {
  wire::DocumentBuilder out;
  out.append_int32("v", 2).begin_document("key").append_int32("_id", 1).end();
  const wire::ValueView clustered = collection.options()["clusteredIndex"];
  const wire::ValueView name = clustered.is(wire::Type::Document) ? clustered.as_document()["name"] : wire::ValueView();
  out.append_string("name", name.is(wire::Type::String) ? name.as_string() : "_id_");
  if (collection.clustered()) out.append_bool("unique", true).append_bool("clustered", true);
  if (const wire::ValueView collation = collection.options()["collation"]) out.append("collation", collation);
  return out.finish();
}

// collMod keeps the seconds as an int64; the reply's are an int32.
void append_field(wire::DocumentBuilder& out, std::string_view name, wire::ValueView value) {
  if (name == "expireAfterSeconds" && value.is(wire::Type::Int64))
    out.append_int32(name, static_cast<std::int32_t>(value.as_int64()));
  else
    out.append(name, value);
}

// The order of the server's ListIndexesReplyItem, whatever order the catalog keeps.
wire::Document in_reply_order(const wire::Document& spec, const Profile& profile) {
  static constexpr std::array order{std::string_view("v"),
                                    std::string_view("key"),
                                    std::string_view("name"),
                                    std::string_view("background"),
                                    std::string_view("unique"),
                                    std::string_view("hidden"),
                                    std::string_view("partialFilterExpression"),
                                    std::string_view("sparse"),
                                    std::string_view("expireAfterSeconds"),
                                    std::string_view("storageEngine"),
                                    std::string_view("weights"),
                                    std::string_view("default_language"),
                                    std::string_view("language_override"),
                                    std::string_view("textIndexVersion"),
                                    std::string_view("2dsphereIndexVersion"),
                                    std::string_view("bits"),
                                    std::string_view("min"),
                                    std::string_view("max"),
                                    std::string_view("collation"),
                                    std::string_view("wildcardProjection")};
  // Up to 4.4 as the catalog keeps them.
  if (profile.wording <= Wording::V4_4) return spec;
  wire::DocumentBuilder out;
  for (const std::string_view field : order)
    if (const wire::ValueView value = spec[field]) append_field(out, field, value);
  return out.finish();
}

}  // namespace

std::vector<wire::Document> index_documents(const Collection& collection, const Profile& profile) {
  std::vector<wire::Document> out;
  const OplogNamespace& of = *collection.identity();
  if (collection.kind() == CollectionKind::Ordinary)
    out.push_back(index_description(id_index(collection), of, profile));
  for (const auto& index : collection.indexes())
    out.push_back(index_description(in_reply_order(index->spec().spec, profile), of, profile));
  return out;
}

}  // namespace emulator
