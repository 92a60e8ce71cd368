#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/cluster_parameters.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

// The command's own field is all it has.
constexpr std::array fields{std::string_view("setClusterParameter")};

Outcome run(Context& context) {
  if (context.deployment.spec.topology == Topology::Standalone)
    throw CommandError(code::illegal_operation, "setClusterParameter cannot be run on standalones");
  const Arguments arguments(context.request.body, "setClusterParameter");
  const wire::Element parameter = arguments.object("setClusterParameter").first();
  set_cluster_parameter(context.deployment, parameter.name, parameter.value);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec set_cluster_parameter_command{
    .name = "setClusterParameter",
    .runs_on = RunsOn::Primary,
    .admin_only = AdminOnly::Yes,
    .write_concern = WriteConcern::Supported,
    .wire_version_min = 17,
    .fields = fields,
    .authorized = on_cluster<Action::SetClusterParameter>,
    .run = run,
    .help = "Sets when pre-images expire (changeStreamOptions)."};

}  // namespace emulator
