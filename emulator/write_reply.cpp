#include "emulator/write_reply.h"

#include <string>

#include "emulator/arguments.h"
#include "emulator/deployment.h"
#include "emulator/facts/reply_facts.h"
#include "emulator/limits.h"
#include "emulator/oplog_writes.h"
#include "emulator/write_progress.h"

namespace emulator {
namespace {

// Those that fail the whole command wherever they come from.
bool fails_the_command(int code) { return code == 112 || code == 263; }

}  // namespace

std::vector<wire::DocumentView> statements_of(const Context& context, std::string_view field) {
  const wire::ValueView given = context.request[field];
  const bool holds_fields = given.missing() || given.is(wire::Type::Array) || given.is(wire::Type::Document);
  if (!holds_fields && context.profile().wording <= Wording::V4_4)
    throw CommandError(10065, "invalid parameter: expected an object (" + std::string(field) + ")");
  return context.request.documents(field);
}

void check_batch_size(std::size_t statements) {
  if (statements == 0 || statements > static_cast<std::size_t>(write_batch_max))
    throw CommandError(
        16, "Write batch sizes must be between 1 and 100000. Got " + std::to_string(statements) + " operations.");
}

Collection* written_collection(const Context& context, std::string_view name) {
  const Wording wording = context.profile().wording;
  check_collection_name(context.request.db, name, wording);
  const std::string full = std::string(context.request.db) + "." + std::string(name);
  const bool buckets = wording <= Wording::V4_4 && name.starts_with("system.buckets.");
  if (may_try_oplog(context, name)) return nullptr;
  if (full == "local.oplog.rs" || name == "system.views" || name == "system.profile" || buckets)
    throw CommandError(73, "cannot write to " + (wording <= Wording::V4_4 ? "'" + full + "'" : full));
  Collection* found = find_collection(context, context.request.db, name);
  constexpr std::size_t name_bytes_max = 120;
  if (found == nullptr && wording <= Wording::V4_2 && full.size() > name_bytes_max)
    throw CommandError(73, "fully qualified namespace " + full + " is too long (max is 120 bytes)");
  return found;
}

Failure view_failure(const Collection& collection) {
  if (collection.kind() != CollectionKind::View) return std::nullopt;
  return CommandError(166, "Namespace " + collection.identity()->full() + " is a view, not a collection");
}

void append_write_times(Context& context, const Writer& writer) {
  Deployment& deployment = context.deployment;
  if (!deployment.is_replica_set()) return;
  // What is written to local is no entry, so it moves nothing.
  const bool is_logged = context.request.db != "local";
  if (context.transaction == nullptr && is_logged)
    context.connection.last_write = writer.last_time().value_or(deployment.cluster_time());
  const bool election_first = context.profile().replies.write_order != ReplyFacts::WriteOrder::V4_4;
  if (election_first) context.reply.append_object_id("electionId", deployment.election_id());
  // What a connection that has not written yet has, goes without its term.
  if (context.profile().wording <= Wording::V4_4 && context.transaction != nullptr && !context.connection.last_write)
    context.connection.last_write = deployment.cluster_time();
  if (context.connection.last_write) {
    context.reply.begin_document("opTime").append_timestamp("ts", *context.connection.last_write);
    context.reply.append_int64("t", deployment.term).end();
  } else {
    context.reply.append_timestamp("opTime", {});
  }
  if (!election_first) context.reply.append_object_id("electionId", deployment.election_id());
  if (writer.last_time()) context.exchange.operation_time = writer.last_time();
}

WriteStatements::WriteStatements(Context& context, Writer& writer, Counts counts)
    : context_(context), writer_(writer), counts_(counts) {
  ordered_ = Arguments(context.request.body, std::string(context.request.name)).boolean("ordered", true);
  if (context.exchange.progress == nullptr) return;
  const WriteProgress& progress = *context.exchange.progress;
  next_ = progress.next;
  n_ = progress.n;
  modified_ = progress.modified;
  upserted_ = progress.upserted;
  errors_ = progress.errors;
  retried_ = progress.retried;
  writer.go_on_from(progress.last_time);
}

void WriteStatements::keep_progress(std::int32_t index, const StatementOutcome& partial) {
  auto progress = std::make_shared<WriteProgress>();
  if (context_.exchange.progress != nullptr && context_.exchange.progress->next == index)
    progress->written = context_.exchange.progress->written;
  progress->next = index;
  progress->partial = partial;
  progress->written.insert(writer_.written().begin(), writer_.written().end());
  progress->n = n_;
  progress->modified = modified_;
  progress->upserted = upserted_;
  progress->errors = errors_;
  progress->retried = retried_;
  progress->last_time = writer_.last_time();
  context_.exchange.progress = std::move(progress);
}

bool WriteStatements::is_written(RecordId record) const {
  const auto& progress = context_.exchange.progress;
  return progress != nullptr && progress->next == current_ && progress->written.contains(record);
}

std::int32_t WriteStatements::statement_id(std::int32_t index) const {
  if (const wire::ValueView ids = context_.request["stmtIds"]; ids.is(wire::Type::Array))
    if (const wire::ValueView id = ids.as_document()[std::to_string(index)]; id.is_number())
      return static_cast<std::int32_t>(whole_number(id));
  return static_cast<std::int32_t>(whole_number(context_.request["stmtId"])) + index;
}

bool WriteStatements::is_done(std::int32_t index) const {
  return writer_.is_retryable() && writer_.session()->statements.contains(statement_id(index));
}

bool WriteStatements::run(std::int32_t index, const std::function<Failure(StatementOutcome&)>& statement) {
  if (index < next_) return true;
  const std::int32_t id = statement_id(index);
  current_ = index;
  StatementOutcome outcome;
  if (context_.exchange.progress != nullptr && index == next_) outcome = context_.exchange.progress->partial;
  Failure failure;
  bool retried = false;
  if (writer_.is_retryable()) {
    if (const auto done = writer_.session()->statements.find(id); done != writer_.session()->statements.end()) {
      outcome = done->second;
      retried = true;
      retried_.push_back(id);
    }
  }
  if (!retried) {
    writer_.begin_statement(id);
    const std::optional<wire::Timestamp> before = writer_.last_time();
    try {
      failure = statement(outcome);
    } catch (const Blocked&) {
      writer_.refuse_insert_batch();
      writer_.finish_insert_batch();
      keep_progress(index, outcome);
      throw;
    } catch (const CommandError& error) {
      writer_.refuse_insert_batch();
      if (fails_the_command(error.code)) throw;
      failure = error;
    }
    // What wrote nothing is tried again when it is retried.
    if (writer_.is_retryable() && !failure && writer_.last_time() != before)
      writer_.session()->statements[id] = outcome;
  }
  last_outcome_ = outcome;
  last_failure_ = failure;
  if (failure) {
    fail(index, std::move(*failure));
    return !ordered_ && context_.transaction == nullptr;
  }
  n_ += outcome.n;
  modified_ += outcome.modified;
  if (outcome.upserted) upserted_.emplace_back(index, outcome.upserted);
  return true;
}

void WriteStatements::fail(std::int32_t index, CommandError error) { errors_.emplace_back(index, std::move(error)); }

void WriteStatements::append_retried() {
  if (retried_.empty() || !context_.profile().replies.retried_statements) return;
  wire::DocumentBuilder& reply = context_.reply;
  reply.begin_array("retriedStmtIds");
  for (const std::int32_t id : retried_) reply.append_int32(reply.item_name(), id);
  reply.end();
}

void WriteStatements::append_modified() {
  if (counts_ == Counts::MatchedAndModified) context_.reply.append_int32("nModified", modified_);
}

void WriteStatements::append_upserted() {
  if (upserted_.empty()) return;
  wire::DocumentBuilder& reply = context_.reply;
  reply.begin_array("upserted");
  for (const auto& [index, id] : upserted_)
    reply.begin_document(reply.item_name()).append_int32("index", index).append("_id", id).end();
  reply.end();
}

void WriteStatements::append_errors() {
  if (errors_.empty()) return;
  const bool text_last = context_.profile().replies.write_error_text == ReplyFacts::WriteErrorText::Last;
  wire::DocumentBuilder& reply = context_.reply;
  reply.begin_array("writeErrors");
  for (const auto& [index, error] : errors_) {
    reply.begin_document(reply.item_name()).append_int32("index", index).append_int32("code", error.code);
    if (text_last) reply.append_all(error.extra);
    reply.append_string("errmsg", error.message);
    if (!text_last) reply.append_all(error.extra);
    reply.end();
  }
  reply.end();
}

void WriteStatements::finish() {
  wire::DocumentBuilder& reply = context_.reply;
  const bool times_last = context_.profile().replies.write_order == ReplyFacts::WriteOrder::V4_4;
  reply.append_int32("n", n_);
  if (times_last) {
    append_modified();
    append_upserted();
    append_errors();
  }
  append_write_times(context_, writer_);
  if (!times_last) append_errors();
  append_retried();
  if (!times_last) {
    append_upserted();
    append_modified();
  }
  if (!errors_.empty()) fail_session(context_);
}

}  // namespace emulator
