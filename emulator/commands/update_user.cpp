#include <algorithm>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/user_fields.h"

namespace emulator {
namespace {

wire::Document existing(const Context& context, const UserName& name) {
  wire::Document user = find_user(context.deployment.store, name);
  if (user.is_default()) throw CommandError(code::user_not_found, "User " + user_text(name) + " not found");
  return user;
}

// Without a password, mechanisms can only be given up.
void append_unset_mechanisms(wire::DocumentBuilder& out, const wire::Document& user, const Arguments& arguments) {
  const std::vector<ScramHash> kept = read_mechanisms(arguments);
  std::vector<std::string> gone = mechanisms_of(user);
  for (const ScramHash hash : kept)
    if (std::erase(gone, std::string(mechanism_name(hash))) == 0)
      throw CommandError(code::bad_value, "mechanisms field must be a subset of previously set mechanisms");
  if (gone.empty()) return;
  out.begin_document("$unset");
  for (const std::string& mechanism : gone) out.append_string("credentials." + mechanism, "");
  out.end();
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "updateUser");
  const UserName name = read_user_name(context, arguments, "updateUser");
  const bool changes = std::ranges::any_of(user_fields, [&](std::string_view field) {
    return field != "digestPassword" && field != "maxTimeMS" && arguments[field];
  });
  if (!changes) throw CommandError(code::bad_value, "Must specify at least one field to update in updateUser");
  const std::optional<std::string_view> password = arguments.text("pwd");
  if (password && name.db == external_db)
    throw CommandError(code::bad_value, "Cannot set the password for users defined on the '$external' database");
  refuse_restrictions(arguments);
  read_mechanisms(arguments);
  std::vector<RoleName> roles;
  if (arguments["roles"]) roles = read_roles(arguments.array("roles").value_or(wire::DocumentView()), name.db);
  context.exchange.locked_to_write = true;
  const wire::Document user = existing(context, name);
  wire::DocumentBuilder set;
  if (password) append_credentials(set, context.deployment, name, *password, arguments);
  if (arguments["customData"]) set.append_document("customData", arguments.object("customData"));
  if (arguments["roles"]) append_roles(set, roles);
  wire::DocumentBuilder modifiers;
  if (set.size() > 0) modifiers.append_document("$set", set.finish());
  if (!password && arguments["mechanisms"]) append_unset_mechanisms(modifiers, user, arguments);
  const wire::Document update = modifiers.finish();
  if (!update.empty()) update_user(context, name, update);
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  const Resource database = Resource::database(request.db);
  if (request["pwd"] && !may(context, database, {Action::ChangePassword})) return false;
  if (request["customData"] && !may(context, database, {Action::ChangeCustomData})) return false;
  // Setting roles gives some and takes all others, of whatever database.
  if (request["roles"])
    return may(context, Resource::any_normal(), {Action::RevokeRole}) &&
           may_on_roles(context, request, Action::GrantRole);
  return request["pwd"] || request["customData"] || may(context, database, {Action::GrantRole});
}

}  // namespace

extern constinit const CommandSpec update_user_command{.name = "updateUser",
                                                       .runs_on = RunsOn::Primary,
                                                       .write_concern = WriteConcern::Supported,
                                                       .fields = user_fields,
                                                       .secret = "pwd",
                                                       .authorized = authorized,
                                                       .run = run,
                                                       .help = "Changes a user's password, roles or data."};

}  // namespace emulator
