#include "emulator/read_concern.h"

#include <algorithm>
#include <array>

#include "emulator/error_codes.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

[[noreturn]] void invalid(const std::string& text) { throw CommandError(code::invalid_options, text); }

void require_type(const wire::Element& field, wire::Type type, std::string_view name) {
  if (!field.value.is(type))
    throw CommandError(code::type_mismatch, "\"" + std::string(field.name) + "\" had the wrong type. Expected " +
                                                std::string(name) + ", found " +
                                                std::string(wire::type_name(field.value.type())));
}

ReadConcern read(wire::DocumentView document) {
  ReadConcern concern;
  static constexpr std::array others{std::string_view("afterOpTime"), std::string_view("provenance"),
                                     std::string_view("allowTransactionTableSnapshot"),
                                     std::string_view("waitLastStableRecoveryTimestamp")};
  for (const wire::Element& field : document) {
    if (field.name == "level") {
      require_type(field, wire::Type::String, "string");
      concern.level = field.value.as_string();
    } else if (field.name == "afterClusterTime" || field.name == "atClusterTime") {
      require_type(field, wire::Type::Timestamp, "timestamp");
      (field.name == "atClusterTime" ? concern.at : concern.after) = field.value.as_timestamp();
    } else if (std::ranges::find(others, field.name) == others.end()) {
      invalid("Unrecognized option in readConcern: " + std::string(field.name));
    }
  }
  return concern;
}

void check_level(const ReadConcern& concern) {
  static constexpr std::array levels{std::string_view("local"), std::string_view("majority"),
                                     std::string_view("linearizable"), std::string_view("available"),
                                     std::string_view("snapshot")};
  if (!concern.level.empty() && std::ranges::find(levels, concern.level) == levels.end())
    throw CommandError(
        code::failed_to_parse,
        "readConcern.level must be either 'local', 'majority', 'linearizable', 'available', or 'snapshot'");
}

// What its fields say together.
void check_shape(const ReadConcern& concern) {
  if (concern.after && concern.at)
    invalid(
        "Specifying a timestamp for readConcern snapshot in a causally consistent session is not allowed. See "
        "https://docs.mongodb.com/manual/core/read-isolation-consistency-recency/#causal-consistency");
  if (concern.after && (concern.level == "available" || concern.level == "linearizable"))
    invalid("afterClusterTime field can be set only if level is equal to majority, local, or snapshot");
  if (concern.after == wire::Timestamp{}) invalid("afterClusterTime cannot be a null timestamp");
  if (concern.at && concern.level != "snapshot")
    invalid("atClusterTime field can be set only if level is equal to snapshot");
  if (concern.at == wire::Timestamp{}) invalid("atClusterTime cannot be a null timestamp");
}

void check_times(const Context& context, const ReadConcern& concern) {
  const wire::Timestamp current = context.deployment.cluster_time();
  for (const auto& [name, time] :
       {std::pair("afterClusterTime", concern.after), std::pair("atClusterTime", concern.at)})
    if (time && *time > current)
      invalid("readConcern " + std::string(name) +
              " value must not be greater than the current clusterTime. Requested clusterTime: { ts: " +
              bson_text(wire::Value::timestamp(*time)) +
              " }; current clusterTime: { ts: " + bson_text(wire::Value::timestamp(current)) + " }");
}

// As the server prints it back.
std::string shown(const ReadConcern& concern, const Profile& profile) {
  wire::DocumentBuilder out;
  out.begin_document("readConcern").append_string("level", concern.level);
  if (concern.after) out.append_timestamp("afterClusterTime", *concern.after);
  if (concern.at) out.append_timestamp("atClusterTime", *concern.at);
  if (profile.wording > Wording::V4_2) out.append_string("provenance", "clientSupplied");
  return bson_text(out.end().finish());
}

// Before 5.0 snapshots are for transactions.
void check_snapshot(const Context& context, const CommandSpec& spec) {
  const bool writes = spec.runs_on == RunsOn::Primary && spec.write_concern == WriteConcern::Supported &&
                      spec.in_transaction == InTransaction::Allowed;
  if (context.profile().wording <= Wording::V4_2 && (writes || spec.read_concern == ReadConcernLevels::All))
    invalid("readConcern level snapshot is only valid for the first transaction operation");
  if (context.profile().wording == Wording::V4_4 && spec.read_concern != ReadConcernLevels::LocalOnly)
    invalid("read concern level snapshot is only valid in a transaction");
}

// Whether the command, as it is asked, runs with that level outside of transactions.
void check_support(const Context& context, const CommandSpec& spec, const ReadConcern& concern) {
  if (concern.level.empty()) return;
  const bool snapshot = concern.level == "snapshot";
  if (concern.level != "local" && spec.read_concern == ReadConcernLevels::LocalOnly) {
    if (snapshot) check_snapshot(context, spec);
    throw read_concern_refused(context, "read concern not supported");
  }
  if (spec.refuse_read_concern != nullptr) spec.refuse_read_concern(context);
  if (!snapshot) return;
  check_snapshot(context, spec);
  if (spec.read_concern != ReadConcernLevels::All)
    throw read_concern_refused(context, "read concern snapshot not supported");
}

}  // namespace

ReadConcern read_concern_of(const Request& request) {
  const wire::ValueView given = request.generic.read_concern;
  if (given.missing()) return {};
  if (!given.is(wire::Type::Document))
    throw CommandError(code::failed_to_parse, "readConcern field should be an object");
  return read(given.as_document());
}

CommandError read_concern_refused(const Context& context, std::string_view reason) {
  const std::string concern = shown(read_concern_of(context.request), context.profile());
  if (context.profile().wording <= Wording::V4_2)
    return {code::invalid_options, "Command does not support read concern " + concern};
  return {code::invalid_options, "Command " + std::string(context.exchange.command->name) + " does not support " +
                                     concern + " :: caused by :: " + std::string(reason)};
}

void check_read_concern(const Context& context, const CommandSpec& spec) {
  const ReadConcern concern = read_concern_of(context.request);
  if (concern.after && context.deployment.spec.topology == Topology::Standalone)
    throw CommandError(code::illegal_operation,
                       "Cannot specify afterClusterTime readConcern without replication enabled");
  check_level(concern);
  check_shape(concern);
  if (!context.request.in_transaction()) check_support(context, spec, concern);
  check_times(context, concern);
}

void check_transaction_rules(const Context& context, const CommandSpec& spec) {
  const Request& request = context.request;
  if (!request.in_transaction()) return;
  const auto refuse = [](const std::string& text) {
    throw CommandError(code::operation_not_supported_in_transaction, text);
  };
  if (spec.in_transaction == InTransaction::Refused ||
      context.profile().max_wire_version < spec.in_transaction_wire_version_min)
    refuse(spec.needs_auth == NeedsAuth::No
               ? "This command is not supported in transactions"
               : "Cannot run '" + std::string(request.name) + "' in a multi-document transaction.");
  if (spec.in_transaction == InTransaction::Ends) return;
  if (request.db == "config") refuse("Cannot run command against the config database in a transaction.");
  if (request.db == "local") refuse("Cannot run command against the 'local' database in a transaction.");
  if (!request.generic.write_concern.missing())
    invalid("writeConcern is not allowed within a multi-statement transaction");
  if (request.generic.read_concern.missing()) return;
  if (request.generic.start_transaction.missing())
    invalid("Only the first command in a transaction may specify a readConcern");
  const std::string_view level = read_concern_of(request).level;
  if (level.empty()) return;
  static constexpr std::array levels{std::string_view("local"), std::string_view("majority"),
                                     std::string_view("snapshot")};
  if (std::ranges::find(levels, level) == levels.end())
    invalid(
        "The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in order to run in a "
        "transaction");
}

}  // namespace emulator
