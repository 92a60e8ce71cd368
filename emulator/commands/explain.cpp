// explain: what a read or a write would do. Each command explains itself; here is what they share.
#include "emulator/explain.h"

#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("verbosity"), std::string_view("maxTimeMS")};

Verbosity read_verbosity(const Arguments& arguments, Wording wording) {
  const std::optional<std::string_view> given = arguments.text("verbosity");
  if (!given || *given == "allPlansExecution") return Verbosity::AllPlansExecution;
  if (*given == "queryPlanner") return Verbosity::QueryPlanner;
  if (*given == "executionStats") return Verbosity::ExecutionStats;
  if (wording <= Wording::V4_4)
    throw CommandError(9, "verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}");
  throw CommandError(
      2, "Enumeration value '" + std::string(*given) + "' for field 'explain.verbosity' is not a valid value.");
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "explain");
  const Wording wording = context.profile().wording;
  if (wording <= Wording::V4_4 && !context.request.target().is(wire::Type::Document))
    throw CommandError(9, "explain command requires a nested object");
  const wire::DocumentView command = arguments.object("explain");
  const Verbosity verbosity = read_verbosity(arguments, wording);
  const std::string name(command.first().name);
  const CommandSpec* spec = command_named(name, context.profile());
  if (spec == nullptr) throw CommandError(59, "Explain failed due to unknown command: " + name);
  if (spec->explain == nullptr) throw CommandError(20, "Cannot explain cmd: " + name);
  append_explain_version(context.reply, context.profile());
  spec->explain(context, context.reply, command, verbosity);
  append_explained(context.reply, context, command);
  return Replied{};
}

// Whoever may run the command may have it explained; what is no command is for `run` to say.
bool authorized(const Context& context, const Request& request) {
  const wire::ValueView target = request.target();
  if (!target.is(wire::Type::Document)) return true;
  const wire::DocumentView command = target.as_document();
  return command_named(command.first().name, context.profile()) == nullptr ||
         is_authorized(context, request.db, command);
}

}  // namespace

extern constinit const CommandSpec explain_command{.name = "explain",
                                                   .runs_on = RunsOn::SecondaryIfAllowed,
                                                   .api_version_1 = ApiVersion1::Yes,
                                                   .fields = fields,
                                                   .secret = "*",
                                                   .authorized = authorized,
                                                   .run = run,
                                                   .help = "Tells how a command would be carried out."};

}  // namespace emulator
