#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { not_built("roles beside the built-in ones"); }

}  // namespace

extern constinit const CommandSpec create_role_command{.name = "createRole",
                                                       .runs_on = RunsOn::Primary,
                                                       .write_concern = WriteConcern::Supported,
                                                       .authorized = on_database<Action::CreateRole>,
                                                       .run = run,
                                                       .help = "Not built: there are the built-in roles."};

}  // namespace emulator
