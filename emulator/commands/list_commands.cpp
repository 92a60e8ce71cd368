#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("commands");
  for (const CommandSpec* command : all_commands()) {
    out.begin_document(command->name).append_string("help", command->help);
    out.append_bool("requiresAuth", command->needs_auth == NeedsAuth::Yes);
    out.append_bool("secondaryOk", command->runs_on != RunsOn::Primary);
    out.append_bool("adminOnly", command->admin_only == AdminOnly::Yes).begin_array("apiVersions");
    if (command->api_version_1 == ApiVersion1::Yes) out.append_string(out.item_name(), "1");
    out.end().begin_array("deprecatedApiVersions").end().end();
  }
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec list_commands_command{.name = "listCommands",
                                                         .needs_auth = NeedsAuth::No,
                                                         .authorized = anybody,
                                                         .run = run,
                                                         .help = "Lists the commands."};

}  // namespace emulator
