#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  context.reply.append_int32("isdbgrid", 1).append_string("hostname", context.member.host);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec isdbgrid_command{
    .name = "isdbgrid", .authorized = anybody, .run = run, .help = "Says that this is a router; routers only."};

}  // namespace emulator
