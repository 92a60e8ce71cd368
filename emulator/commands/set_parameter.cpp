#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/server_parameters.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::Element chosen;
  bool first = true;
  for (const wire::Element& element : context.request.body)
    if (!std::exchange(first, false) && !is_generic_field(element.name, context.profile())) chosen = element;
  if (chosen.name.empty()) throw CommandError(0, "no option found to set, use help:true to see options ");
  const ServerParameter* parameter = find_server_parameter(chosen.name);
  const std::string name(chosen.name);
  if (parameter == nullptr)
    throw CommandError(0, "attempted to set unrecognized parameter [" + name + "], use help:true to see options ");
  if (parameter->settable == SettableAt::StartupOnly)
    throw CommandError(0, "not allowed to change [" + name + "] at runtime");
  context.reply.append("was", server_parameter_value(context.deployment, *parameter));
  context.deployment.parameters[name] = wire::Value(chosen.value);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec set_parameter_command{.name = "setParameter",
                                                         .admin_only = AdminOnly::Yes,
                                                         .authorized = on_cluster<Action::SetParameter>,
                                                         .run = run,
                                                         .help = "Sets a server parameter."};

}  // namespace emulator
