#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec balancer_start_command{
    .name = "balancerStart",
    .admin_only = AdminOnly::Yes,
    .authorized = on_balancer<Action::Update>,
    .run = run,
    .help = "Lets chunks be balanced, which here never happens by itself; routers only."};

}  // namespace emulator
