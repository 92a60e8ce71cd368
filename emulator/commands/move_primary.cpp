#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  const Arguments arguments(context.request.body, "movePrimary");
  arguments.required("to");
  const wire::ValueView db = context.request.target();
  if (!db.is(wire::Type::String)) throw CommandError(code::invalid_namespace, "invalid db name specified");
  set_primary_shard(context, db.as_string(), arguments.text("to").value_or(std::string_view()));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec move_primary_command{
    .name = "movePrimary",
    .admin_only = AdminOnly::Yes,
    .authorized = on_routed_database<Action::MoveChunk>,
    .run = run,
    .help = "Makes another shard the primary one of a database; routers only."};

}  // namespace emulator
