#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  const Arguments arguments(context.request.body, "enableSharding");
  const wire::ValueView db = context.request.target();
  if (!db.is(wire::Type::String) || db.as_string().empty())
    throw CommandError(code::invalid_namespace, "Invalid db name specified");
  set_primary_shard(context, db.as_string(), arguments.text("primaryShard").value_or("shard01"));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec enable_sharding_command{
    .name = "enableSharding",
    .admin_only = AdminOnly::Yes,
    .authorized = on_routed_database<Action::EnableSharding>,
    .run = run,
    .help = "Lets collections of a database be sharded; routers only."};

}  // namespace emulator
