#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/user_fields.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  std::int32_t dropped = 0;
  for (const wire::Document& user : all_users(context.deployment.store)) {
    const UserName name = name_of(user);
    if (name.db != context.request.db) continue;
    remove_user(context, name);
    ++dropped;
  }
  context.reply.append_int32("n", dropped);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_all_users_from_database_command{.name = "dropAllUsersFromDatabase",
                                                                        .runs_on = RunsOn::Primary,
                                                                        .write_concern = WriteConcern::Supported,
                                                                        .fields = fields,
                                                                        .authorized = on_database<Action::DropUser>,
                                                                        .run = run,
                                                                        .help = "Drops the database's users."};

}  // namespace emulator
