#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/write_fail_points.h"

namespace emulator {
namespace {

bool is_settling(const Context& context, wire::Timestamp written) {
  const Oplog& oplog = context.deployment.oplog;
  const OplogPosition at = oplog.lower_bound(written);
  const std::int64_t settling_ms = context.profile().oplog.settling_ms;
  return settling_ms > 0 && at < oplog.end() && oplog.at(at).wall_ms + settling_ms > context.wall_ms();
}

Outcome run(Context& context) {
  if (context.transaction == nullptr) throw CommandError(125, "commitTransaction must be run within a transaction");
  Transaction& transaction = *context.transaction;
  // Committed already: the same answer again.
  if (transaction.state == TransactionState::Committed) {
    if (transaction.last_entry != wire::Timestamp{}) context.exchange.operation_time = transaction.last_entry;
    return Replied{};
  }
  if (transaction.state == TransactionState::Prepared && context.request["commitTimestamp"].missing())
    throw CommandError(72, "commitTransaction for a prepared transaction must have 'commitTimestamp'");
  if (transaction.state == TransactionState::Prepared && is_settling(context, transaction.last_entry))
    throw CommandError(72,
                       "commitTransaction for a prepared transaction cannot be run before its prepare oplog entry has "
                       "been majority committed");
  if (!transaction.operations.empty())
    if (const auto refused = enter_transactional_write(context)) throw CommandError(*refused);
  const wire::Timestamp time =
      commit_transaction(context.deployment, *context.session, context.now).value_or(context.deployment.cluster_time());
  context.connection.last_write = time;
  context.exchange.operation_time = time;
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec commit_transaction_command{.name = "commitTransaction",
                                                              .runs_on = RunsOn::Primary,
                                                              .in_transaction = InTransaction::Ends,
                                                              .admin_only = AdminOnly::Yes,
                                                              .write_concern = WriteConcern::Supported,
                                                              .api_version_1 = ApiVersion1::Yes,
                                                              .authorized = anybody,
                                                              .run = run,
                                                              .help = "Commits the session's transaction."};

}  // namespace emulator
