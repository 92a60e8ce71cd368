#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.begin_array("users").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec users_info_command{
    .name = "usersInfo", .run = run, .help = "Lists users: there are none."};

}  // namespace emulator
