#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  context.reply.append_bool("flushed", true);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec flush_router_config_command{
    .name = "flushRouterConfig",
    .admin_only = AdminOnly::Yes,
    .authorized = on_cluster<Action::FlushRouterConfig>,
    .run = run,
    .help = "Forgets what a router has cached; routers only."};

}  // namespace emulator
