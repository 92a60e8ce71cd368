#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("data"), std::string_view("maxClusterTime")};

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "appendOplogNote");
  arguments.required("data");
  OplogEntry entry;
  entry.o = wire::Document(arguments.object("data"));
  context.exchange.operation_time = context.deployment.append(std::move(entry), context.now);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec append_oplog_note_command{.name = "appendOplogNote",
                                                             .runs_on = RunsOn::Primary,
                                                             .admin_only = AdminOnly::Yes,
                                                             .write_concern = WriteConcern::Supported,
                                                             .fields = fields,
                                                             .authorized = on_cluster<Action::AppendOplogNote>,
                                                             .run = run,
                                                             .help = "Writes a no-op entry that holds `data`."};

}  // namespace emulator
