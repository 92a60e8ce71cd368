#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.begin_document("totals").append_string("note", "all times in microseconds").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec top_command{.name = "top",
                                               .admin_only = AdminOnly::Yes,
                                               .authorized = on_cluster<Action::Top>,
                                               .run = run,
                                               .help = "Reports usage of collections: not counted."};

}  // namespace emulator
