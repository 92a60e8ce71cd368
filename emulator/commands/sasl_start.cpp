#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { throw CommandError(18, "Authentication failed."); }

}  // namespace

extern constinit const CommandSpec sasl_start_command{
    .name = "saslStart", .needs_auth = NeedsAuth::No, .run = run, .help = "Refuses: there are no users."};

}  // namespace emulator
