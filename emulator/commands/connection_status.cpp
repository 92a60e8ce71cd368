#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  refresh_login(context);
  const std::optional<Login>& login = context.connection.identity.login;
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("authInfo").begin_array("authenticatedUsers");
  if (login) {
    out.begin_document(out.item_name());
    out.append_string("user", login->name.user).append_string("db", login->name.db).end();
  }
  out.end().begin_array("authenticatedUserRoles");
  if (login)
    for (const RoleName& role : login->roles) append_role(out, role);
  out.end();
  if (is_truthy(context.request["showPrivileges"])) {
    out.begin_array("authenticatedUserPrivileges");
    if (login) login->privileges.append_to(out);
    out.end();
  }
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec connection_status_command{.name = "connectionStatus",
                                                             .needs_auth = NeedsAuth::No,
                                                             .api_version_1 = ApiVersion1::Yes,
                                                             .authorized = anybody,
                                                             .run = run,
                                                             .help = "Says who is logged in, with which roles."};

}  // namespace emulator
