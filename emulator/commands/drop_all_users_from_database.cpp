#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.append_int32("n", 0);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_all_users_from_database_command{
    .name = "dropAllUsersFromDatabase",
    .runs_on = RunsOn::Primary,
    .write_concern = WriteConcern::Supported,
    .run = run,
    .help = "Drops the database's users: there are none."};

}  // namespace emulator
