#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { not_built("users"); }

}  // namespace

extern constinit const CommandSpec create_user_command{.name = "createUser",
                                                       .runs_on = RunsOn::Primary,
                                                       .write_concern = WriteConcern::Supported,
                                                       .run = run,
                                                       .help = "Not built: there are no users."};

}  // namespace emulator
