#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("defaultReadConcern").append_string("level", "local").end();
  out.begin_document("defaultWriteConcern").append_string("w", "majority").append_int32("wtimeout", 0).end();
  out.append_string("defaultWriteConcernSource", "implicit").append_string("defaultReadConcernSource", "implicit");
  out.append_date("localUpdateWallClockTime", context.wall_ms());
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_default_rw_concern_command{.name = "getDefaultRWConcern",
                                                                  .admin_only = AdminOnly::Yes,
                                                                  .authorized = on_cluster<Action::GetDefaultRWConcern>,
                                                                  .run = run,
                                                                  .help = "Says the default concerns."};

}  // namespace emulator
