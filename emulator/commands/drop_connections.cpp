#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec drop_connections_command{.name = "dropConnections",
                                                            .authorized = on_cluster<Action::DropConnections>,
                                                            .run = run,
                                                            .help = "Drops no connections to others."};

}  // namespace emulator
