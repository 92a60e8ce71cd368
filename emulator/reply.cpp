#include "emulator/reply.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "emulator/batch_payload.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/facts/error_facts.h"
#include "emulator/facts/reply_facts.h"
#include "emulator/scram.h"

namespace emulator {

const wire::Document& Exchange::reply_document() const {
  if (looked_at_.is_default() && body.size() > 0) {
    const std::string bytes = body.flatten();
    looked_at_ = wire::Document(wire::DocumentView(reinterpret_cast<const std::uint8_t*>(bytes.data())));
  }
  return looked_at_;
}

void Exchange::reuse() {
  wire::DocumentBuilder kept = std::move(reply);
  kept.clear();
  std::destroy_at(this);
  std::construct_at(this);
  reply = std::move(kept);
}

void append_topology_version(wire::DocumentBuilder& out, const Deployment& deployment, const Member& member) {
  if (!deployment.profile.replies.topology_version) return;
  out.begin_document("topologyVersion")
      .append_object_id("processId", deployment.process_id)
      .append_int64("counter", member.topology_counter)
      .end();
}

namespace {

// A deployment whose members know each other by a key signs its times; elsewhere the signature is empty.
void append_signature(wire::DocumentBuilder& out, const Deployment& deployment, wire::Timestamp time) {
  static constexpr std::array<std::uint8_t, 20> no_signature{};
  out.begin_document("signature");
  if (deployment.spec.authentication == Authentication::Off) {
    out.append_binary("hash", 0, no_signature).append_int64("keyId", 0).end();
    return;
  }
  const std::uint64_t bits = time.bits();
  const std::string hash = hmac_sha1(deployment.signing_key, {reinterpret_cast<const char*>(&bits), sizeof bits});
  out.append_binary("hash", 0, {reinterpret_cast<const std::uint8_t*>(hash.data()), hash.size()});
  out.append_int64("keyId", deployment.signing_key_id).end();
}

void append_cluster_time(wire::DocumentBuilder& out, const Deployment& deployment, wire::Timestamp time) {
  out.begin_document("$clusterTime").append_timestamp("clusterTime", time);
  append_signature(out, deployment, time);
  out.end();
}

}  // namespace

void append_times(wire::DocumentBuilder& out, const Deployment& deployment,
                  std::optional<wire::Timestamp> operation_time) {
  if (deployment.spec.topology == Topology::Standalone) return;
  const wire::Timestamp cluster_time = deployment.cluster_time();
  const wire::Timestamp of_operation = operation_time.value_or(cluster_time);
  // Between two writes every reply ends in the same bytes.
  ReplyTimes& times = deployment.reply_times;
  if (times.cluster_time != cluster_time || times.operation_time != of_operation) {
    wire::DocumentBuilder made;
    append_cluster_time(made, deployment, cluster_time);
    made.append_timestamp("operationTime", of_operation);
    times = {cluster_time, of_operation, made.finish()};
  }
  out.append_all(times.document);
}

namespace {

void append_labels(wire::DocumentBuilder& out, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  out.begin_array("errorLabels");
  for (const std::string& label : labels) out.append_string(out.item_name(), label);
  out.end();
}

wire::Payload payload_of(wire::DocumentView view) {
  return wire::Payload(std::string(reinterpret_cast<const char*>(view.data()), view.size()));
}

}  // namespace

void append_ok(wire::DocumentBuilder& out, const wire::Document& write_concern_error, const Profile& profile) {
  const bool before_ok = profile.replies.write_order != ReplyFacts::WriteOrder::V4_4;
  const auto append_error = [&] {
    if (!write_concern_error.is_default()) out.append_document("writeConcernError", write_concern_error);
  };
  if (before_ok) append_error();
  out.append_double("ok", 1.0);
  if (!before_ok) append_error();
}

namespace {

// Commands put their writeConcernError last, before `ok`.
void finish_fields(wire::DocumentBuilder& reply, const Profile& profile) {
  if (profile.replies.write_order != ReplyFacts::WriteOrder::V4_4) {
    reply.append_double("ok", 1.0);
    return;
  }
  const wire::Document fields(reply.view());
  const wire::ValueView error = fields["writeConcernError"];
  reply.clear();
  for (const auto& [name, value] : fields)
    if (name != "writeConcernError") reply.append(name, value);
  append_ok(reply, error ? wire::Document(error.as_document()) : wire::Document(), profile);
}

}  // namespace

void finish_reply(Exchange& exchange, const Deployment& deployment) {
  exchange.kind = ReplyKind::Success;
  const auto tail = [&](wire::DocumentBuilder& out) {
    append_labels(out, exchange.error_labels);
    append_times(out, deployment, exchange.operation_time);
  };
  if (exchange.batch) {
    wire::DocumentBuilder out;
    out.append_double("ok", 1.0);
    tail(out);
    exchange.set_body(batch_payload(*exchange.batch, out.finish()));
    return;
  }
  finish_fields(exchange.reply, deployment.profile);
  tail(exchange.reply);
  exchange.set_body(payload_of(exchange.reply.view()));
}

bool opens_change_stream(const Request& request) {
  if (request.name != "aggregate") return false;
  const wire::ValueView pipeline = request["pipeline"];
  if (!pipeline.is(wire::Type::Array)) return false;
  const wire::ValueView first = pipeline.as_document().first().value;
  return first.is(wire::Type::Document) && first.as_document().first().name == "$changeStream";
}

std::vector<std::string> error_labels(int code, const Exchange& exchange, ErrorMoment at, const ErrorFacts& facts) {
  const Request& request = exchange.request;
  if (code == code::change_stream_fatal_error || code == code::change_stream_history_lost)
    return {"NonResumableChangeStreamError"};
  const bool in_transaction = request.in_transaction();
  if (in_transaction) {
    const bool commits = request.name == "commitTransaction" || request.name == "abortTransaction";
    const bool retriable = is_retriable_error(code, facts);
    if (commits && retriable && facts.resumable_labels) return {"RetryableWriteError"};
    // Whatever a new attempt may not meet again (isTransientTransactionError): lock timeouts, conflicts, snapshots that are gone.
    static constexpr std::array gone{24, 112, 239, 246, 249, 250, 251, 267, 272, 13388};
    if (std::ranges::find(gone, code) != gone.end()) return {"TransientTransactionError"};
    // Without RetryableWriteError (4.2), an abort that fails is transient like any other command.
    const bool transient = !commits || (!facts.resumable_labels && request.name == "abortTransaction");
    if (transient && retriable) return {"TransientTransactionError"};
    return {};
  }
  if (!facts.resumable_labels) return {};
  const bool supports_writes =
      exchange.command != nullptr && exchange.command->write_concern == WriteConcern::Supported;
  if (request.txn_number() && supports_writes && is_retriable_error(code, facts)) return {"RetryableWriteError"};
  const bool reads_stream = exchange.reads_stream && at == ErrorMoment::AfterCheckout;
  if ((opens_change_stream(request) || reads_stream) && is_resumable_change_stream_error(code, facts))
    return {"ResumableChangeStreamError"};
  return {};
}

void fail_reply(Exchange& exchange, const CommandError& error, Deployment& deployment) {
  exchange.kind = ReplyKind::Error;
  exchange.error_code = error.code;
  exchange.batch.reset();
  exchange.exhaust = false;
  exchange.reply.clear();
  wire::DocumentBuilder& out = exchange.reply;
  append_labels(out, error.labels
                         ? *error.labels
                         : error_labels(error.code, exchange, ErrorMoment::AfterCheckout, deployment.profile.errors));
  if (is_not_primary_error(error.code)) append_topology_version(out, deployment, deployment.member(exchange.member));
  const bool on_replica_set = deployment.spec.topology != Topology::Standalone;
  // What fails without a code is no exception there, and its reply ends as all others.
  const bool times_around =
      on_replica_set && deployment.profile.replies.error_order == ReplyFacts::ErrorOrder::V4_4 && error.code != 0;
  out.append_all(error.before_ok);
  if (times_around) out.append_timestamp("operationTime", deployment.cluster_time());
  out.append_double("ok", 0.0).append_string("errmsg", error.message);
  if (error.code != 0)
    out.append_int32("code", error.code)
        .append_string("codeName", error_code_name(error.code, deployment.profile.errors));
  out.append_all(error.extra);
  if (times_around)
    append_cluster_time(out, deployment, deployment.cluster_time());
  else
    append_times(out, deployment, std::nullopt);
  exchange.set_body(payload_of(out.view()));
}

void answer_reply(Exchange& exchange, const wire::Document& answer) {
  exchange.kind = ReplyKind::Success;
  exchange.batch.reset();
  exchange.exhaust = false;
  exchange.set_body(payload_of(answer));
}

void not_built(const std::string& what) {
  throw CommandError(code::not_implemented, "Oplogue does not implement " + what);
}

}  // namespace emulator
