#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/session_list.h"
namespace emulator {
namespace {

constexpr ListPath path{"endSessions.endSessions", "endSessions.endSessionsFromClient",
                        "EndSessionsCmdFromClient.endSessions"};

Outcome run(Context& context) {
  for (const wire::DocumentView lsid : listed_sessions(context, path))
    if (const Session* session = context.deployment.sessions.find(lsid)) {
      // A transaction under way goes on, and its session with it until that times out.
      const bool in_transaction = session->transaction != nullptr && session->transaction->is_open();
      if (!in_transaction) context.deployment.sessions.end(lsid);
    }
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec end_sessions_command{.name = "endSessions",
                                                        .write_concern = WriteConcern::Supported,
                                                        .api_version_1 = ApiVersion1::Yes,
                                                        .authorized = anybody,
                                                        .run = run,
                                                        .help = "Ends sessions; their cursors stay open."};

}  // namespace emulator
