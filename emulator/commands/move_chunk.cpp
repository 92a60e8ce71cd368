#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const OplogNamespace ns = routed_namespace(context);
  const Arguments arguments(context.request.body, "moveChunk");
  arguments.required("to");
  move_chunk(context, ns, arguments.text("to").value_or(std::string_view()));
  context.reply.append_int32("millis", 0);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec move_chunk_command{
    .name = "moveChunk",
    .admin_only = AdminOnly::Yes,
    .authorized = on_routed_collection<Action::MoveChunk>,
    .run = run,
    .help = "Moves a chunk to another shard; no event tells of it; routers only."};

}  // namespace emulator
