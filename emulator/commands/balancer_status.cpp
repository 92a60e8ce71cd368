#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  context.reply.append_string("mode", "off").append_bool("inBalancerRound", false).append_int64("numBalancerRounds", 0);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec balancer_status_command{
    .name = "balancerStatus",
    .admin_only = AdminOnly::Yes,
    .authorized = on_balancer<Action::Find>,
    .run = run,
    .help = "Says whether chunks are being balanced; routers only."};

}  // namespace emulator
