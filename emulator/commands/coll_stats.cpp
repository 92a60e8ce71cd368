#include "emulator/authorization.h"
#include "emulator/collection_stats.h"
#include "emulator/commands/table.h"
#include "emulator/readable.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const std::string name = context.collection_name();
  const Readable readable(context, context.request.db, name);
  context.reply.append_string("ns", std::string(context.request.db) + "." + name);
  append_collection_stats(context.reply, readable.collection(), context.profile());
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec coll_stats_command{.name = "collStats",
                                                      .runs_on = RunsOn::SecondaryIfAllowed,
                                                      .authorized = on_collection<Action::CollStats>,
                                                      .run = run,
                                                      .help = "Reports sizes of a collection."};

}  // namespace emulator
