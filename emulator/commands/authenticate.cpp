#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { throw CommandError(18, "No verified subject name available from client"); }

}  // namespace

extern constinit const CommandSpec authenticate_command{
    .name = "authenticate", .needs_auth = NeedsAuth::No, .run = run, .help = "Refuses: no client shows a certificate."};

}  // namespace emulator
