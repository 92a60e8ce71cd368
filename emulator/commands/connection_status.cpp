#include "emulator/arguments.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("authInfo").begin_array("authenticatedUsers").end().begin_array("authenticatedUserRoles").end();
  if (is_truthy(context.request["showPrivileges"])) out.begin_array("authenticatedUserPrivileges").end();
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec connection_status_command{.name = "connectionStatus",
                                                             .needs_auth = NeedsAuth::No,
                                                             .api_version_1 = ApiVersion1::Yes,
                                                             .run = run,
                                                             .help = "Says who is logged in: nobody."};

}  // namespace emulator
