#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const wire::ValueView name = context.request.target();
  if (!name.is(wire::Type::String))
    throw CommandError(14, "BSON field 'getLog.getLog' is the wrong type '" +
                               std::string(wire::type_name(name.type())) + "', expected type 'string'");
  if (name.as_string() == "*") {
    context.reply.begin_array("names");
    for (const std::string_view known : {"global", "startupWarnings"})
      context.reply.append_string(context.reply.item_name(), known);
    context.reply.end();
    return Replied{};
  }
  if (name.as_string() != "global" && name.as_string() != "startupWarnings")
    throw CommandError(0, "no RamLog named: " + std::string(name.as_string()));
  context.reply.append_int32("totalLinesWritten", 0).begin_array("log").end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_log_command{.name = "getLog",
                                                   .admin_only = AdminOnly::Yes,
                                                   .authorized = on_cluster<Action::GetLog>,
                                                   .run = run,
                                                   .help = "Gives the log's lines: there are none."};

}  // namespace emulator
