#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  require_router(context);
  context.reply.begin_array("shards");
  for (const wire::Document& shard : config_documents(context.deployment, "shards"))
    context.reply.append_document(context.reply.item_name(), shard);
  context.reply.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec list_shards_command{.name = "listShards",
                                                       .admin_only = AdminOnly::Yes,
                                                       .authorized = on_routers_cluster<Action::ListShards>,
                                                       .run = run,
                                                       .help = "Lists the shards; routers only."};

}  // namespace emulator
