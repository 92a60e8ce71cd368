#include "emulator/dispatch.h"

#include <algorithm>
#include <unordered_map>

#include "emulator/api_version.h"
#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/hello.h"
#include "emulator/legacy_request.h"
#include "emulator/number.h"
#include "emulator/read_concern.h"
#include "emulator/reply.h"
#include "emulator/snapshot_read.h"
#include "emulator/write_concern.h"
#include "emulator/write_progress.h"

namespace emulator {

// Fields that every command may carry (the server's generic_argument.idl and logical session fields).
bool is_generic_field(std::string_view name, const Profile& profile) {
  constexpr int of_4_4 = 9;
  constexpr int of_5_0 = 13;
  static constexpr std::array names{FieldVersion{"apiVersion", of_5_0},
                                    FieldVersion{"apiStrict", of_5_0},
                                    FieldVersion{"apiDeprecationErrors", of_5_0},
                                    FieldVersion{"maxTimeMS"},
                                    FieldVersion{"readConcern"},
                                    FieldVersion{"writeConcern"},
                                    FieldVersion{"lsid"},
                                    FieldVersion{"txnNumber"},
                                    FieldVersion{"autocommit"},
                                    FieldVersion{"startTransaction"},
                                    FieldVersion{"comment", of_4_4},
                                    FieldVersion{"coordinator"},
                                    FieldVersion{"maxTimeMSOpOnly", of_4_4},
                                    FieldVersion{"help"},
                                    FieldVersion{"allowImplicitCollectionCreation"},
                                    FieldVersion{"mayBypassWriteBlocking"},
                                    FieldVersion{"databaseVersion"},
                                    FieldVersion{"shardVersion"},
                                    FieldVersion{"clientOperationKey"},
                                    FieldVersion{"rawData"},
                                    FieldVersion{"audit"}};
  if (name.starts_with('$')) return true;
  const auto at = std::ranges::find(names, name, &FieldVersion::name);
  return at != names.end() && profile.max_wire_version >= at->wire_version_min;
}

namespace {

using CommandIndex = std::unordered_map<std::string_view, const CommandSpec*>;

CommandIndex make_index() {
  CommandIndex index;
  for (const CommandSpec* spec : all_commands()) {
    index.emplace(spec->name, spec);
    for (const std::string_view alias : spec->aliases)
      if (!alias.empty()) index.emplace(alias, spec);
  }
  return index;
}

bool knows(const CommandSpec& spec, std::string_view name, const Profile& profile) {
  if (std::ranges::find(spec.fields, name) == spec.fields.end()) return false;
  if (profile.wording > Wording::V4_4) return true;
  const auto at = std::ranges::find(spec.field_versions, name, &FieldVersion::name);
  return at == spec.field_versions.end() || profile.max_wire_version >= at->wire_version_min;
}

}  // namespace

std::optional<std::string_view> unknown_field_of(const Request& request, const CommandSpec& spec,
                                                 const Profile& profile) {
  bool first = true;
  for (const wire::Element& element : request.body)
    if (!std::exchange(first, false) && !is_generic_field(element.name, profile) && !knows(spec, element.name, profile))
      return element.name;
  return std::nullopt;
}

namespace {

void check_row_fields(const Request& request, const CommandSpec& spec, const Profile& profile) {
  const UnknownField refused = profile.wording > Wording::V4_4 ? unknown_field : spec.unknown_until_4_4;
  if (spec.fields.empty() || refused == nullptr) return;
  if (const auto unknown = unknown_field_of(request, spec, profile)) throw refused(spec, *unknown);
}

void check_member(const Context& context, const CommandSpec& spec) {
  if (spec.runs_on == RunsOn::Anywhere || context.deployment.spec.topology != Topology::ReplicaSet) return;
  const Role role = context.member.role;
  if (role == Role::Primary) return;
  if (role != Role::Secondary)
    throw CommandError(code::not_primary_or_secondary, "node is not in primary or recovering state");
  if (spec.runs_on == RunsOn::Primary) throw CommandError(code::not_writable_primary, "not primary");
  if (context.request.legacy == Legacy::Query && !context.request.body.has("$readPreference"))
    throw CommandError(code::not_primary_no_secondary_ok, "not master and slaveOk=false");
  // mongod 6.0 reads on a secondary also without a read preference when it came by OP_MSG from a direct connection.
}

// Milliseconds that fit an int, as the server's parseMaxTimeMS.
void check_max_time(wire::ValueView max_time, Wording wording) {
  if (!max_time.is_number()) throw CommandError(code::bad_value, "maxTimeMS must be a number");
  const std::optional<std::int64_t> whole = exact_int64(max_time);
  if (!whole) throw CommandError(code::bad_value, "maxTimeMS has non-integral value");
  if (*whole < 0 || *whole > INT32_MAX)
    throw CommandError(code::bad_value, wording <= Wording::V4_4
                                            ? "maxTimeMS is out of range"
                                            : std::to_string(*whole) + " value for maxTimeMS is out of range");
}

void check_database(const Context& context, const CommandSpec& spec) {
  if (spec.admin_only == AdminOnly::Yes && context.request.db != "admin")
    throw CommandError(code::unauthorized,
                       std::string(context.request.name) + " may only be run against the admin database.");
}

void check_generic(const Context& context, const CommandSpec& spec) {
  const Request& request = context.request;
  const wire::ValueView max_time = request.generic.max_time_ms;
  const bool own_max_time =
      std::find(spec.fields.begin(), spec.fields.end(), std::string_view("maxTimeMS")) != spec.fields.end();
  if (!max_time.missing() && !own_max_time) check_max_time(max_time, context.profile().wording);
  check_read_concern(context, spec);
  check_transaction_rules(context, spec);
  const wire::ValueView concern = request.generic.write_concern;
  if (concern && spec.write_concern == WriteConcern::Unsupported && concern.is(wire::Type::Document) &&
      !concern.as_document().empty())
    throw CommandError(code::invalid_options, "Command does not support writeConcern");
}

}  // namespace

CommandError unknown_field(const CommandSpec& command, std::string_view field) {
  return CommandError(code::unknown_field,
                      "BSON field '" + std::string(command.name) + "." + std::string(field) + "' is an unknown field.");
}

const CommandSpec* command_named(std::string_view name, const Profile& profile) {
  static const CommandIndex index = make_index();
  const auto at = index.find(name);
  if (at == index.end()) return nullptr;
  const CommandSpec* spec = at->second;
  if (is_later_spelling(name, profile)) return nullptr;
  if (profile.max_wire_version < spec->wire_version_min || profile.max_wire_version > spec->wire_version_max)
    return nullptr;
  return spec;
}

namespace {

// One pass over the body for everything that all commands share.
void read_generic(Request& request, wire::ValueView& db) {
  using Generic = Request::Generic;
  static constexpr std::pair<std::string_view, wire::ValueView Generic::*> names[] = {
      {"apiVersion", &Generic::api_version},
      {"apiStrict", &Generic::api_strict},
      {"apiDeprecationErrors", &Generic::api_deprecation_errors},
      {"lsid", &Generic::lsid},
      {"txnNumber", &Generic::txn_number},
      {"autocommit", &Generic::autocommit},
      {"startTransaction", &Generic::start_transaction},
      {"maxTimeMS", &Generic::max_time_ms},
      {"readConcern", &Generic::read_concern},
      {"writeConcern", &Generic::write_concern}};
  for (const wire::Element& element : request.body) {
    if (element.name == "$db") db = element.value;
    for (const auto& [name, member] : names)
      if (element.name == name) request.generic.*member = element.value;
  }
}

}  // namespace

void read_request(Exchange& exchange, const Profile& profile) {
  Request& request = exchange.request;
  request = Request{};
  request.envelope = exchange.message.envelope;
  const wire::OpMsg* msg = exchange.message.op_msg();
  if (msg == nullptr) {
    read_legacy_request(exchange, profile);
    request.name = request.body.first().name;
    wire::ValueView ignored_db;
    read_generic(request, ignored_db);
    return;
  }
  request.body = msg->body;
  request.sequences = msg->sequences;
  request.name = request.body.first().name;
  wire::ValueView db;
  read_generic(request, db);
  if (db.missing()) throw CommandError(40571, "OP_MSG requests require a $db argument");
  if (!db.is(wire::Type::String))
    throw CommandError(code::type_mismatch, "BSON field 'OP_MSG.$db' is the wrong type '" +
                                                std::string(wire::type_name(db.type())) + "', expected type 'string'");
  request.db = db.as_string();
}

namespace {

Outcome run_command(Context& context) {
  const CommandSpec& spec = *context.exchange.command;
  enter_session(context);
  context.snapshot = open_snapshot(context);
  Outcome outcome = spec.run(context);
  // What may only read waits for no write concern then.
  const bool may_only_read = spec.runs_on != RunsOn::Primary && spec.in_transaction == InTransaction::Allowed;
  if (spec.write_concern == WriteConcern::Supported && (context.exchange.locked_to_write || !may_only_read))
    context.reply.append_all(write_concern_failure(context));
  return outcome;
}

// What mongod adds to a write that it interrupts: it had no time to wait for its write concern either.
wire::Document interrupted_write_concern(const CommandError& error, const ErrorFacts& facts) {
  wire::DocumentBuilder out;
  out.begin_document("writeConcernError").append_int32("code", error.code);
  out.append_string("codeName", error_code_name(error.code, facts)).append_string("errmsg", error.message);
  out.begin_document("errInfo").begin_document("writeConcern").append_int32("w", 1).append_int32("wtimeout", 0);
  return out.end().end().end().finish();
}

// The transaction that was in the way is over: the command runs again from where it stopped.
Outcome run_again(Context& context, WaitState& state, WakeReason reason) {
  if (reason == WakeReason::Changed) return run_command(context);
  CommandError error = reason == WakeReason::Expired
                           ? CommandError(code::max_time_ms_expired, "operation exceeded time limit")
                           : CommandError(state.kill_code, "operation was interrupted");
  if (context.exchange.progress != nullptr)
    error.before_ok = interrupted_write_concern(error, context.profile().errors);
  throw error;
}

// What came so far that it locked to write waits for its write concern even where it fails; for a transaction that is not there,
// mongod writes a no-op to wait for.
CommandError with_write_concern_error(const Context& context, const CommandError& error) {
  constexpr int no_such_transaction = 251;
  const CommandSpec* spec = context.exchange.command;
  CommandError out = error;
  if (spec == nullptr || spec->write_concern != WriteConcern::Supported || !error.before_ok.is_default()) return out;
  const bool ends_nothing = spec->in_transaction == InTransaction::Ends && error.code == no_such_transaction;
  if (context.exchange.locked_to_write || ends_nothing) out.before_ok = write_concern_failure(context);
  return out;
}

RealTime deadline_of(const Context& context) {
  const wire::ValueView max_time = context.request.generic.max_time_ms;
  const std::int64_t max_time_ms = max_time.is_number() ? whole_number(max_time) : 0;
  if (max_time_ms <= 0) return RealTime::max();
  return context.deployment.clock.waited(context.now) + std::chrono::milliseconds(max_time_ms);
}

// `waiting_until`: the deadline of a command that has waited already.
template <class Run>
Outcome guarded(Context& context, std::optional<RealTime> waiting_until, Run&& run) {
  try {
    return run();
  } catch (const Blocked& blocked) {
    context.reply.clear();
    Wait wait;
    wait.deadline = waiting_until ? *waiting_until : deadline_of(context);
    wait.what = WaitForTransaction{blocked.by};
    wait.resume = run_again;
    return wait;
  } catch (const CommandError& error) {
    fail_session(context);
    fail_reply(context.exchange, with_write_concern_error(context, error), context.deployment);
    return Replied{};
  }
}

}  // namespace

Outcome dispatch(Context& context) {
  return guarded(context, std::nullopt, [&]() -> Outcome {
    const CommandSpec* spec = context.exchange.command;
    if (spec == nullptr)
      throw CommandError(code::command_not_found, "no such command: '" + std::string(context.request.name) + "'");
    if (is_generic_field("apiVersion", context.profile())) check_api_version(context.request, *spec);
    check_database(context, *spec);
    require_login(context, *spec);
    check_generic(context, *spec);
    check_row_fields(context.request, *spec, context.profile());
    check_member(context, *spec);
    require_authorized(context, *spec);
    return run_command(context);
  });
}

Outcome resume(Context& context, Wait& wait, WakeReason reason) {
  return guarded(context, wait.deadline, [&] { return wait.resume(context, wait.state, reason); });
}

}  // namespace emulator
