#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/session_list.h"
namespace emulator {
namespace {

constexpr ListPath path{"KillAllSessionsCmd.killAllSessions", "KillAllSessionsCmd.killAllSessions",
                        "KillAllSessionsCmd.killAllSessions"};

Outcome run(Context& context) {
  listed_documents(context, path);
  kill_all_sessions(context.deployment);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec kill_all_sessions_command{
    .name = "killAllSessions",
    .authorized = on_cluster<Action::KillAnySession>,
    .run = run,
    .help = "Kills what all sessions run: users are not told apart."};

}  // namespace emulator
