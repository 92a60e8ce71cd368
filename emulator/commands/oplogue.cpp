// The in-band road to scenario steps: {oplogue: {loseHistory: {through: "first"}}}, from any driver, without an HTTP client.
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/step_door.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (context.deployment.step_door == nullptr) not_built("steps without a Director");
  const wire::ValueView step = context.request.target();
  if (!step.is(wire::Type::Document) && !step.is(wire::Type::Array))
    throw CommandError(code::failed_to_parse, "a step is an object with one key, its name, or a list of such objects");
  return context.deployment.step_door->perform(context, context.request.body);
}

}  // namespace

extern constinit const CommandSpec oplogue_command{.name = "oplogue",
                                                   .admin_only = AdminOnly::Yes,
                                                   .faultable = Faultable::No,
                                                   .secret = "*",
                                                   .authorized = root_only,
                                                   .run = run,
                                                   .help = "Performs a scenario step: {oplogue: {STEP: VALUE}}."};

}  // namespace emulator
