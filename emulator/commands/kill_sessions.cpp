#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/session_list.h"
namespace emulator {
namespace {

constexpr ListPath path{"KillSessionsCmd.killSessions", "KillSessionsCmd.killSessions", "KillSessionsCmd.killSessions"};

Outcome run(Context& context) {
  for (const wire::DocumentView lsid : listed_sessions(context, path)) kill_session(context.deployment, lsid);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec kill_sessions_command{.name = "killSessions",
                                                         .api_version_1 = ApiVersion1::Yes,
                                                         .authorized = anybody,
                                                         .run = run,
                                                         .help = "Kills what sessions run: transactions and cursors."};

}  // namespace emulator
