#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/session_list.h"
namespace emulator {
namespace {

constexpr ListPath path{"KillAllSessionsByPatternCmd.killAllSessionsByPattern",
                        "KillAllSessionsByPatternCmd.killAllSessionsByPattern",
                        "KillAllSessionsByPatternCmd.killAllSessionsByPattern"};

Outcome run(Context& context) {
  listed_documents(context, path);
  kill_all_sessions(context.deployment);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec kill_all_sessions_by_pattern_command{
    .name = "killAllSessionsByPattern",
    .authorized = on_cluster<Action::KillAnySession>,
    .run = run,
    .help = "Kills what all sessions run: users are not told apart."};

}  // namespace emulator
