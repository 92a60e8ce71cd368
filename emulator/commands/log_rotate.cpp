#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec log_rotate_command{
    .name = "logRotate", .authorized = on_cluster<Action::LogRotate>, .run = run, .help = "Rotates no log."};

}  // namespace emulator
