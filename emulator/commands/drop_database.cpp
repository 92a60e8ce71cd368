#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/write.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  const std::string db(context.request.db);
  if (db == "admin" || db == "config") throw CommandError(20, "Dropping the '" + db + "' database is prohibited.");
  if (db == "local" && context.deployment.is_replica_set())
    throw CommandError(20, "Cannot drop 'local' database while replication is active");
  if (whole_number(context.request.target()) != 1) throw CommandError(5255100, "Have to pass 1 as 'drop' parameter");
  Writer writer(context);
  writer.drop_database(db);
  // A database that was not there is not named.
  if (context.profile().wording <= Wording::V4_4 && writer.last_time()) context.reply.append_string("dropped", db);
  context.exchange.operation_time = writer.last_time();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec drop_database_command{.name = "dropDatabase",
                                                         .runs_on = RunsOn::Primary,
                                                         .write_concern = WriteConcern::Supported,
                                                         .api_version_1 = ApiVersion1::Yes,
                                                         .fields = fields,
                                                         .authorized = on_database<Action::DropDatabase>,
                                                         .run = run,
                                                         .help = "Drops a database."};

}  // namespace emulator
