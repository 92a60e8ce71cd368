#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const wire::ValueView name = context.request.target();
  const std::string user = name.is(wire::Type::String) ? std::string(name.as_string()) : std::string();
  throw CommandError(11, "User '" + user + "@" + std::string(context.request.db) + "' not found");
}

}  // namespace

extern constinit const CommandSpec drop_user_command{.name = "dropUser",
                                                     .runs_on = RunsOn::Primary,
                                                     .write_concern = WriteConcern::Supported,
                                                     .run = run,
                                                     .help = "Refuses: there is no such user."};

}  // namespace emulator
