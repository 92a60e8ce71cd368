#include <array>
#include <map>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/error_codes.h"
#include "emulator/query.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("filter"), std::string_view("nameOnly"),
                            std::string_view("authorizedDatabases"), std::string_view("maxTimeMS")};

std::map<std::string, std::int64_t> sizes(const Deployment& deployment) {
  // A server always has these, and a replica set its oplog in the third.
  std::map<std::string, std::int64_t> out{{"admin", 0}, {"config", 0}, {"local", 0}};
  for (const auto& [name, collections] : deployment.store.databases())
    for (const auto& [collection_name, collection] : collections) out[name] += collection->document_bytes();
  out["local"] += static_cast<std::int64_t>(deployment.oplog.bytes());
  return out;
}

wire::DocumentBuilder& append_size(wire::DocumentBuilder& out, std::string_view name, std::int64_t bytes,
                                   const Profile& profile) {
  return profile.wording > Wording::V4_4 ? out.append_int64(name, bytes)
                                         : out.append_double(name, static_cast<double>(bytes));
}

// Which databases the user is shown: all, or those in which something is allowed.
class Visible {
 public:
  Visible(const Context& context, const Arguments& arguments)
      : login_(context.connection.identity.login), all_(may(context, Resource::cluster(), {Action::ListDatabases})) {
    if (!arguments["authorizedDatabases"]) return;
    const bool only_authorized = arguments.boolean("authorizedDatabases");
    if (!only_authorized && !all_)
      throw CommandError(code::unauthorized, "Insufficient permissions to list all databases");
    if (only_authorized && context.deployment.spec.authentication == Authentication::On) all_ = false;
  }
  bool shows(std::string_view db) const { return all_ || (login_ && login_->privileges.reach_database(db)); }

 private:
  const std::optional<Login>& login_;
  bool all_;
};

Outcome run(Context& context) {
  if (context.request.db != "admin")
    throw CommandError(13, "listDatabases may only be run against the admin database.");
  const Arguments arguments(context.request.body, "listDatabases");
  const Matcher filter = Matcher::parse(arguments.object("filter"), match_context(context, MatchPlace::Find));
  const bool name_only = arguments.flag("nameOnly");
  const Visible visible(context, arguments);
  std::int64_t total = 0;
  context.reply.begin_array("databases");
  for (const auto& [name, bytes] : sizes(context.deployment)) {
    if (!visible.shows(name)) continue;
    wire::DocumentBuilder database;
    database.append_string("name", name);
    if (!name_only) append_size(database, "sizeOnDisk", bytes, context.profile()).append_bool("empty", bytes == 0);
    const wire::Document description = database.finish();
    if (!filter.matches(description)) continue;
    total += bytes;
    context.reply.append_document(context.reply.item_name(), description);
  }
  context.reply.end();
  if (name_only) return Replied{};
  append_size(context.reply, "totalSize", total, context.profile());
  if (context.profile().wording > Wording::V4_4) context.reply.append_int64("totalSizeMb", total >> 20);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec list_databases_command{.name = "listDatabases",
                                                          .runs_on = RunsOn::SecondaryIfAllowed,
                                                          .api_version_1 = ApiVersion1::Yes,
                                                          .fields = fields,
                                                          .authorized = anybody,
                                                          .run = run,
                                                          .help = "Lists databases."};

}  // namespace emulator
