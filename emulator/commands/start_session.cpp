#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/server_parameters.h"
namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder lsid;
  lsid.append_binary("id", 4, context.deployment.uuids.uuid());
  context.deployment.sessions.use(lsid.view(), context.wall_ms());
  const auto timeout_minutes = server_parameter_number(context.deployment, "localLogicalSessionTimeoutMinutes");
  context.reply.append_document("id", lsid.view());
  context.reply.append_int32("timeoutMinutes", static_cast<std::int32_t>(timeout_minutes));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec start_session_command{.name = "startSession",
                                                         .api_version_1 = ApiVersion1::No,
                                                         .authorized = anybody,
                                                         .run = run,
                                                         .help = "Starts a session and names it."};

}  // namespace emulator
