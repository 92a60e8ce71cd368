#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/deployment.h"
#include "emulator/index_description.h"
#include "emulator/query.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("cursor"), std::string_view("filter"), std::string_view("nameOnly"),
                            std::string_view("authorizedCollections"), std::string_view("maxTimeMS")};

std::string_view type_of(const Collection& collection) {
  switch (collection.kind()) {
    case CollectionKind::View:
      return "view";
    case CollectionKind::TimeSeries:
      return "timeseries";
    case CollectionKind::Ordinary:
      break;
  }
  return "collection";
}

bool has_id_index(const Collection& collection) {
  return collection.kind() == CollectionKind::Ordinary && !collection.clustered() &&
         collection.identity()->collection != "system.profile";
}

wire::Document describe(const Collection& collection, const Profile& profile) {
  wire::DocumentBuilder out;
  out.append_string("name", collection.identity()->collection).append_string("type", type_of(collection));
  out.append_document("options", collection.options());
  out.begin_document("info").append_bool("readOnly", collection.kind() == CollectionKind::View);
  if (collection.kind() == CollectionKind::Ordinary) out.append_binary("uuid", 4, collection.uuid());
  out.end();
  if (!has_id_index(collection)) return out.finish();
  out.append_document("idIndex", id_index_description(*collection.identity(), collection.options(), profile));
  return out.finish();
}

wire::Document name_and_type(const wire::Document& description) {
  wire::DocumentBuilder out;
  return out.append("name", description["name"]).append("type", description["type"]).finish();
}

// The oplog is made when it is read, so it is in no catalog.
wire::Document describe_oplog(const Deployment& deployment) {
  wire::DocumentBuilder out;
  out.append_string("name", "oplog.rs").append_string("type", "collection");
  out.begin_document("options")
      .append_bool("capped", true)
      .append_int64("size", static_cast<std::int64_t>(deployment.spec.oplog_bytes));
  out.append_bool("autoIndexId", false).end();
  out.begin_document("info").append_bool("readOnly", false).append_binary("uuid", 4, Uuid{}).end();
  return out.finish();
}

bool reaches(const Context& context, std::string_view collection) {
  const std::optional<Login>& login = context.connection.identity.login;
  return login && login->privileges.reach_collection(context.request.db, collection);
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "listCollections");
  const Matcher filter = Matcher::parse(arguments.object("filter"), match_context(context, MatchPlace::Find));
  const bool name_only = arguments.flag("nameOnly");
  std::vector<wire::Document> results;
  const bool shows_all = may(context, Resource::database(context.request.db), {Action::ListCollections});
  const auto add = [&](const wire::Document& description) {
    if (!shows_all && !reaches(context, description["name"].as_string())) return;
    if (filter.matches(description)) results.push_back(name_only ? name_and_type(description) : description);
  };
  const auto& databases = context.deployment.store.databases();
  if (const auto database = databases.find(context.request.db); database != databases.end())
    for (const auto& [name, collection] : database->second) add(describe(*collection, context.profile()));
  if (context.request.db == "local" && context.deployment.is_replica_set()) add(describe_oplog(context.deployment));
  const Arguments cursor(arguments.object("cursor"), "listCollections.cursor");
  CursorOptions options;
  options.batch_size = cursor.count("batchSize");
  options.order = CursorOptions::Order::BatchLast;
  options.end = CursorOptions::End::Known;
  reply_with_cursor(context, context.request.db, "$cmd.listCollections", std::move(results), options);
  return Replied{};
}

// Whoever can do anything in the database may ask for the names of what it can be done with.
bool authorized(const Context& context, const Request& request) {
  if (may(context, Resource::database(request.db), {Action::ListCollections})) return true;
  const std::optional<Login>& login = context.connection.identity.login;
  return is_truthy(request["nameOnly"]) && is_truthy(request["authorizedCollections"]) && login &&
         login->privileges.reach_database(request.db);
}

}  // namespace

extern constinit const CommandSpec list_collections_command{.name = "listCollections",
                                                            .runs_on = RunsOn::SecondaryIfAllowed,
                                                            .api_version_1 = ApiVersion1::Yes,
                                                            .fields = fields,
                                                            .authorized = authorized,
                                                            .run = run,
                                                            .help = "Lists a database's collections and views."};

}  // namespace emulator
