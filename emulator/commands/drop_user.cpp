#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/user_fields.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "dropUser");
  const UserName name = read_user_name(context, arguments, "dropUser");
  context.exchange.locked_to_write = true;
  if (find_user(context.deployment.store, name).is_default())
    throw CommandError(code::user_not_found, "User '" + user_text(name) + "' not found");
  remove_user(context, name);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_user_command{.name = "dropUser",
                                                     .runs_on = RunsOn::Primary,
                                                     .write_concern = WriteConcern::Supported,
                                                     .fields = fields,
                                                     .authorized = on_database<Action::DropUser>,
                                                     .run = run,
                                                     .help = "Drops a user."};

}  // namespace emulator
