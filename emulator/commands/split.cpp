#include "emulator/arguments.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/router_authorization.h"
#include "emulator/sharding.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const OplogNamespace ns = routed_namespace(context);
  const Arguments arguments(context.request.body, "split");
  const bool by_find = arguments["find"].is(wire::Type::Document);
  if (by_find == arguments["middle"].is(wire::Type::Document))
    throw CommandError(code::invalid_options, "must provide either find or middle");
  split_chunk(context, ns, arguments.object(by_find ? "find" : "middle"));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec split_command{.name = "split",
                                                 .admin_only = AdminOnly::Yes,
                                                 .authorized = on_routed_collection<Action::SplitChunk>,
                                                 .run = run,
                                                 .help = "Cuts a chunk in two; routers only."};

}  // namespace emulator
