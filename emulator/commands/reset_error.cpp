// resetError: forgets the last error, which every operation but getLastError does. Gone in 5.0.
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec reset_error_command{.name = "resetError",
                                                       .aliases = {"reseterror"},
                                                       .wire_version_max = 9,
                                                       .authorized = anybody,
                                                       .run = run,
                                                       .help = "Forgets how this connection's last write went."};

}  // namespace emulator
