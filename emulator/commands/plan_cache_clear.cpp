#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec plan_cache_clear_command{
    .name = "planCacheClear", .run = run, .help = "Forgets no plans."};

}  // namespace emulator
