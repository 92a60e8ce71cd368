#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.begin_array("lockInfo").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec lock_info_command{.name = "lockInfo",
                                                     .admin_only = AdminOnly::Yes,
                                                     .authorized = on_cluster<Action::ServerStatus>,
                                                     .run = run,
                                                     .help = "Lists locks: there are none."};

}  // namespace emulator
