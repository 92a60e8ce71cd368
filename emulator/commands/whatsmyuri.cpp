#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.append_string("you", context.connection.peer);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec whatsmyuri_command{.name = "whatsmyuri",
                                                      .needs_auth = NeedsAuth::No,
                                                      .authorized = anybody,
                                                      .run = run,
                                                      .help = "Says the client's address."};

}  // namespace emulator
