#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (!context.deployment.is_replica_set())
    throw CommandError(76, "This node was not started with replication enabled.");
  throw CommandError(23, "already initialized");
}

}  // namespace

extern constinit const CommandSpec repl_set_initiate_command{.name = "replSetInitiate",
                                                             .admin_only = AdminOnly::Yes,
                                                             .authorized = on_cluster<Action::ReplSetConfigure>,
                                                             .run = run,
                                                             .help = "Refuses: the set is initiated already."};

}  // namespace emulator
