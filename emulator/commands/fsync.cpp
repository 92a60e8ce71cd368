#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (is_truthy(context.request["lock"])) not_built("fsync with lock: true");
  context.reply.append_int32("numFiles", 1);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec fsync_command{.name = "fsync",
                                                 .admin_only = AdminOnly::Yes,
                                                 .authorized = on_cluster<Action::Fsync>,
                                                 .run = run,
                                                 .help = "Flushes nothing: all is in memory."};

}  // namespace emulator
