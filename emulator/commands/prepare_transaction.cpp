#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (context.transaction == nullptr) throw CommandError(125, "prepareTransaction must be run within a transaction");
  const wire::Timestamp time = prepare_transaction(context.deployment, *context.session, context.now);
  context.reply.append_timestamp("prepareTimestamp", time);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec prepare_transaction_command{
    .name = "prepareTransaction",
    .runs_on = RunsOn::Primary,
    .in_transaction = InTransaction::Ends,
    .admin_only = AdminOnly::Yes,
    .write_concern = WriteConcern::Supported,
    .authorized = on_cluster<Action::AnyAction>,
    .run = run,
    .help = "Prepares the session's transaction, as the shards of a cluster do."};

}  // namespace emulator
