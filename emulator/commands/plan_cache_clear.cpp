#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec plan_cache_clear_command{.name = "planCacheClear",
                                                            .authorized = on_collection<Action::PlanCacheWrite>,
                                                            .run = run,
                                                            .help = "Forgets no plans."};

}  // namespace emulator
