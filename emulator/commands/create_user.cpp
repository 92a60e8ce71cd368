#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/user_fields.h"
#include "emulator/write.h"

namespace emulator {
namespace {

void check_password(const UserName& name, const Arguments& arguments) {
  const bool given = arguments.text("pwd").has_value();
  if (name.db == "local") throw CommandError(code::bad_value, "Cannot create users in the local database");
  if (!given && name.db != external_db)
    throw CommandError(code::bad_value,
                       "Must provide a 'pwd' field for all user documents, except those with '$external' as the user's "
                       "source db");
  if (given && name.db == external_db)
    throw CommandError(code::bad_value, "Cannot set the password for users defined on the '$external' database");
  if (name.user.empty()) throw CommandError(code::bad_value, "User document needs 'user' field to be non-empty");
}

// The collection with its index, made with the first user.
Collection& users_for_writing(Context& context, Writer& writer) {
  if (Collection* users = context.deployment.store.find("admin", users_collection)) return *users;
  Collection& users = writer.create("admin", users_collection, {});
  wire::DocumentBuilder key;
  wire::DocumentBuilder spec;
  key.append_int32("user", 1).append_int32("db", 1);
  spec.append_int32("v", 2).append_bool("unique", true).append_document("key", key.finish());
  writer.create_indexes(users, {IndexSpec(spec.append_string("name", "user_1_db_1").finish())});
  return users;
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "createUser");
  const UserName name = read_user_name(context, arguments, "createUser");
  arguments.required("roles");
  check_password(name, arguments);
  refuse_restrictions(arguments);
  const std::vector<RoleName> roles = read_roles(arguments.array("roles").value_or(wire::DocumentView()), name.db);
  Writer writer(context);
  if (!find_user(context.deployment.store, name).is_default())
    throw CommandError(51003, "User \"" + user_text(name) + "\" already exists");
  wire::DocumentBuilder out;
  out.append_string("_id", user_id(name)).append_binary("userId", 4, context.deployment.secrets.uuid());
  out.append_string("user", name.user).append_string("db", name.db);
  if (name.db == external_db)
    out.begin_document("credentials").append_bool("external", true).end();
  else
    append_credentials(out, context.deployment, name, *arguments.text("pwd"), arguments);
  if (arguments["customData"]) out.append_document("customData", arguments.object("customData"));
  append_roles(out, roles);
  if (Failure failure = writer.insert(users_for_writing(context, writer), out.finish())) throw *std::move(failure);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  return may(context, Resource::database(request.db), {Action::CreateUser}) &&
         may_on_roles(context, request, Action::GrantRole);
}

}  // namespace

extern constinit const CommandSpec create_user_command{.name = "createUser",
                                                       .runs_on = RunsOn::Primary,
                                                       .write_concern = WriteConcern::Supported,
                                                       .fields = user_fields,
                                                       .secret = "pwd",
                                                       .authorized = authorized,
                                                       .run = run,
                                                       .help = "Makes a user."};

}  // namespace emulator
