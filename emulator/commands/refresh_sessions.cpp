#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/session_list.h"
namespace emulator {
namespace {

constexpr ListPath path{"refreshSessions.refreshSessions", "refreshSessions.refreshSessionsFromClient",
                        "RefreshSessionsCmdFromClient.refreshSessions"};

Outcome run(Context& context) {
  for (const wire::DocumentView lsid : listed_sessions(context, path))
    context.deployment.sessions.use(lsid, context.wall_ms());
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec refresh_sessions_command{
    .name = "refreshSessions", .authorized = anybody, .run = run, .help = "Keeps sessions from timing out."};

}  // namespace emulator
