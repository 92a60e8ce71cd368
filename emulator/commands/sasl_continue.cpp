#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { throw CommandError(17, "No SASL session state found"); }

}  // namespace

extern constinit const CommandSpec sasl_continue_command{
    .name = "saslContinue", .needs_auth = NeedsAuth::No, .run = run, .help = "Refuses: no conversation was begun."};

}  // namespace emulator
