#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (context.transaction == nullptr) throw CommandError(125, "abortTransaction must be run within a transaction");
  if (context.transaction->state == TransactionState::Committed)
    throw CommandError(
        256, "Transaction with { txnNumber: " + std::to_string(context.transaction->number) + " } has been committed.");
  abort_transaction(context.deployment, *context.session);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec abort_transaction_command{.name = "abortTransaction",
                                                             .runs_on = RunsOn::Primary,
                                                             .in_transaction = InTransaction::Ends,
                                                             .admin_only = AdminOnly::Yes,
                                                             .write_concern = WriteConcern::Supported,
                                                             .api_version_1 = ApiVersion1::Yes,
                                                             .authorized = anybody,
                                                             .run = run,
                                                             .help = "Aborts the session's transaction."};

}  // namespace emulator
