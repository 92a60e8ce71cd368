#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec logout_command{.name = "logout", .run = run, .help = "Logs out."};

}  // namespace emulator
