#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.begin_array("argv");
  for (const std::string_view word : {"mongod"}) out.append_string(out.item_name(), word);
  out.end().begin_document("parsed");
  if (context.deployment.is_replica_set())
    out.begin_document("replication").append_string("replSet", context.deployment.spec.set_name).end();
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_cmd_line_opts_command{.name = "getCmdLineOpts",
                                                             .admin_only = AdminOnly::Yes,
                                                             .authorized = on_cluster<Action::GetCmdLineOpts>,
                                                             .run = run,
                                                             .help = "Says how the server was started."};

}  // namespace emulator
