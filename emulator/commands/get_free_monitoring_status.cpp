#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.append_string("state", "undecided");
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_free_monitoring_status_command{
    .name = "getFreeMonitoringStatus",
    .admin_only = AdminOnly::Yes,
    .wire_version_max = 20,
    .authorized = on_cluster<Action::CheckFreeMonitoringStatus>,
    .run = run,
    .help = "Says that monitoring in the cloud is undecided."};

}  // namespace emulator
