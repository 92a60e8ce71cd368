#include "emulator/session.h"

#include <algorithm>
#include <array>

#include "emulator/commands/table.h"
#include "emulator/context.h"
#include "emulator/deployment.h"
#include "emulator/lsid.h"
#include "emulator/uuid_text.h"

namespace emulator {
namespace {

// SHA-256 of nothing: the uid of whoever has not logged in.
constexpr std::array<std::uint8_t, 32> nobody{0xE3, 0xB0, 0xC4, 0x42, 0x98, 0xFC, 0x1C, 0x14, 0x9A, 0xFB, 0xF4,
                                              0xC8, 0x99, 0x6F, 0xB9, 0x24, 0x27, 0xAE, 0x41, 0xE4, 0x64, 0x9B,
                                              0x93, 0x4C, 0xA4, 0x95, 0x99, 0x1B, 0x78, 0x52, 0xB8, 0x55};
constexpr std::string_view nobody_base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

std::string key_of(wire::DocumentView lsid) {
  const std::span<const std::uint8_t> bytes = lsid["id"].bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[noreturn]] void too_old(const Session& session, std::int64_t number, Wording wording) {
  const std::string active = std::to_string(session.txn_number);
  const std::string who = uuid_text(session.lsid["id"].as_binary().bytes) + " - " + std::string(nobody_base64);
  const std::string_view what = session.transaction ? "transaction" : "retryable write";
  if (wording <= Wording::V5_0)
    throw CommandError(225, "Cannot start transaction " + std::to_string(number) + " on session " + who +
                                " because a newer " + std::string(what) + " with txnNumber " + active +
                                " has already started on this session.");
  throw CommandError(225, "Cannot start transaction with { txnNumber: " + std::to_string(number) + " } on session " +
                              who + " -  -  because a newer " + std::string(what) +
                              " with txnNumberAndRetryCounter { txnNumber: " + active +
                              ", txnRetryCounter: 0 } has already started on this session.");
}

[[noreturn]] void no_such_transaction(const Session& session, std::int64_t number) {
  throw CommandError(251, "Given transaction number " + std::to_string(number) +
                              " does not match any in-progress transactions. The active transaction number is " +
                              std::to_string(session.txn_number));
}

bool ends_transaction(const Context& context) {
  return context.exchange.command != nullptr && context.exchange.command->in_transaction == InTransaction::Ends;
}

void enter_retryable(Context& context, Session& session, std::int64_t number) {
  if (number < session.txn_number) too_old(session, number, context.profile().wording);
  if (number == session.txn_number) {
    if (session.transaction != nullptr)
      throw CommandError(50911, "Cannot start a retryable write at an active transaction number");
    return;
  }
  abort_transaction(context.deployment, session);
  session.transaction.reset();
  session.txn_number = number;
  session.statements.clear();
  session.last_write = {};
  session.last_write_term = -1;
}

void enter_transaction(Context& context, Session& session, std::int64_t number) {
  const wire::ValueView start = context.request.generic.start_transaction;
  if (!start.missing()) {
    if (!start.is(wire::Type::Bool) || !start.as_bool())
      throw CommandError(72, "Specifying startTransaction=false is not allowed.");
    if (number < session.txn_number) too_old(session, number, context.profile().wording);
    if (number == session.txn_number)
      throw CommandError(
          117, "Only servers in a sharded cluster can start a new transaction at the active transaction number");
    context.transaction = &begin_transaction(context.deployment, session, number, context.now);
    return;
  }
  if (number < session.txn_number) too_old(session, number, context.profile().wording);
  if (number != session.txn_number || session.transaction == nullptr) no_such_transaction(session, number);
  Transaction& transaction = *session.transaction;
  const bool briefly = context.profile().wording <= Wording::V5_0;
  const std::string which = std::to_string(number);
  const std::string text = "Transaction " + (briefly ? which : "with { txnNumber: " + which + " }") + " has been ";
  if (transaction.state == TransactionState::Aborted) throw CommandError(251, text + "aborted.");
  if (transaction.state == TransactionState::Committed && !ends_transaction(context))
    throw CommandError(256, text + "committed.");
  context.transaction = &transaction;
}

}  // namespace

wire::Document full_lsid(wire::DocumentView lsid) {
  wire::DocumentBuilder out;
  out.append("id", lsid["id"]);
  if (const wire::ValueView uid = lsid["uid"])
    out.append("uid", uid);
  else
    out.append_binary("uid", 0, nobody);
  return out.finish();
}

Session& SessionTable::use(wire::DocumentView lsid, std::int64_t wall_ms) {
  Session& session = sessions_[key_of(lsid)];
  if (session.lsid.is_default()) session.lsid = full_lsid(lsid);
  session.last_used_ms = wall_ms;
  return session;
}

Session* SessionTable::find(wire::DocumentView lsid) {
  const auto at = sessions_.find(key_of(lsid));
  return at == sessions_.end() ? nullptr : &at->second;
}

void SessionTable::end(wire::DocumentView lsid) { sessions_.erase(key_of(lsid)); }

namespace {

// A user's sessions are its own: their ids hold its digest.
wire::Document lsid_of_user(const Login& login, wire::DocumentView lsid) {
  if (lsid.has("uid")) throw CommandError(13, "Unauthorized to set user digest in LogicalSessionId");
  const std::string digest = sha256(user_text(login.name));
  wire::DocumentBuilder out;
  out.append_all(lsid).append_binary("uid", 0, {reinterpret_cast<const std::uint8_t*>(digest.data()), digest.size()});
  return out.finish();
}

}  // namespace

void enter_session(Context& context) {
  const Request& request = context.request;
  const wire::ValueView lsid = request.generic.lsid;
  const wire::ValueView number = request.generic.txn_number;
  const wire::ValueView autocommit = request.generic.autocommit;
  if (lsid.missing()) {
    if (number) throw CommandError(72, "Transaction number requires a session ID to also be specified");
    return;
  }
  constexpr std::string_view path = "OperationSessionInfo.lsid";
  if (!lsid.is(wire::Type::Document))
    throw CommandError(14, "BSON field '" + std::string(path) + "' is the wrong type '" +
                               std::string(wire::type_name(lsid.type())) + "', expected type 'object'");
  check_lsid(std::string(path), lsid.as_document(), context.profile().wording);
  if (context.request.generic.start_transaction && autocommit.missing())
    throw CommandError(72, "'startTransaction' field requires 'autocommit' field to also be specified");
  if (autocommit && !autocommit.is(wire::Type::Bool))
    throw CommandError(14, "BSON field 'OperationSessionInfo.autocommit' is the wrong type '" +
                               std::string(wire::type_name(autocommit.type())) + "', expected type 'bool'");
  if (autocommit && number.missing())
    throw CommandError(72, "'autocommit' field requires a transaction number to also be specified");
  // What ends a transaction writes, even where it fails: the connection's opTime is the newest from here on.
  if (ends_transaction(context)) context.connection.last_write = context.deployment.cluster_time();
  const std::optional<Login>& login = context.connection.identity.login;
  const wire::Document owned = login ? lsid_of_user(*login, lsid.as_document()) : wire::Document();
  Session& session = context.deployment.sessions.use(login ? owned.view() : lsid.as_document(), context.wall_ms());
  context.session = &session;
  if (number.missing()) return;
  if (!number.is(wire::Type::Int64))
    throw CommandError(14, "BSON field 'OperationSessionInfo.txnNumber' is the wrong type '" +
                               std::string(wire::type_name(number.type())) + "', expected type 'long'");
  if (number.as_int64() < 0) throw CommandError(72, "Transaction number cannot be negative");
  if (!context.deployment.is_replica_set() && context.deployment.spec.topology == Topology::Standalone)
    throw CommandError(20, "Transaction numbers are only allowed on a replica set member or mongos");
  // What can be retried writes, and could be part of a transaction.
  const CommandSpec* spec = context.exchange.command;
  const bool retryable = spec != nullptr && spec->runs_on == RunsOn::Primary &&
                         spec->write_concern == WriteConcern::Supported &&
                         spec->in_transaction != InTransaction::Refused;
  if (autocommit.missing() && !retryable)
    throw CommandError(50768,
                       "txnNumber may only be provided for multi-document transactions and retryable write commands. "
                       "autocommit:false was not provided, and " +
                           std::string(context.request.name) + " is not a retryable write command.");
  if (autocommit.missing()) return enter_retryable(context, session, number.as_int64());
  if (!autocommit.is(wire::Type::Bool) || autocommit.as_bool())
    throw CommandError(72, "Specifying autocommit=true is not allowed.");
  enter_transaction(context, session, number.as_int64());
}

void fail_session(Context& context) {
  if (context.transaction == nullptr || context.session == nullptr) return;
  if (context.transaction->state == TransactionState::InProgress)
    abort_transaction(context.deployment, *context.session);
}

}  // namespace emulator
