// getLastError: how this connection's last legacy write went, up to 5.0 (facts: legacy §2).
#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/member_address.h"
#include "emulator/reply.h"
#include "emulator/write_concern.h"

namespace emulator {
namespace {

constexpr int wire_version_4_4 = 9;

void append_error(Context& context, const LastError& last) {
  wire::DocumentBuilder& out = context.reply;
  out.append_string("err", last.message);
  if (!last.index.empty() && context.profile().max_wire_version >= wire_version_4_4)
    out.append_string("ns", last.ns).append_string("index", last.index);
  out.append_int32("code", last.code).append_string("codeName", error_code_name(last.code, context.profile().errors));
  out.append_int32("n", last.n);
}

// Whether the write concern asks for more than this member.
bool waits_for_others(wire::ValueView w) { return w.is(wire::Type::String) || whole_number(w) > 1; }

void append_written_to(Context& context, wire::ValueView w) {
  wire::DocumentBuilder& out = context.reply;
  if (!waits_for_others(w) || !context.deployment.is_replica_set()) {
    out.append_null("writtenTo");
    return;
  }
  out.append_int32("wtime", 0).begin_array("writtenTo");
  for (const Member& member : context.deployment.members)
    if (member.position >= context.member.position) out.append_string(out.item_name(), address_of(context, member));
  out.end();
}

void append_write_concern(Context& context, wire::ValueView w) {
  if (context.profile().max_wire_version < wire_version_4_4) return;
  wire::DocumentBuilder& out = context.reply;
  out.begin_document("writeConcern");
  if (w.is(wire::Type::String) || waits_for_others(w))
    out.append("w", w);
  else
    out.append_int32("w", 1);
  out.append_int32("wtimeout", static_cast<std::int32_t>(whole_number(context.request["wtimeout"]))).end();
}

// The reply of a write concern that cannot be met has both: what there is to say, and the error.
void append_failure(Context& context, const CommandError& error) {
  wire::DocumentBuilder& out = context.reply;
  out.append_double("ok", 0.0).append_string("errmsg", error.message);
  out.append_int32("code", error.code).append_string("codeName", error_code_name(error.code, context.profile().errors));
  append_times(out, context.deployment, std::nullopt);
  answer_reply(context.exchange, wire::Document(out.view()));
}

Outcome run(Context& context) {
  const LastError& last = context.connection.last_error;
  context.exchange.keeps_last_error = true;
  wire::DocumentBuilder& out = context.reply;
  if (context.connection.last_write && context.deployment.is_replica_set())
    out.begin_document("lastOp")
        .append_timestamp("ts", *context.connection.last_write)
        .append_int64("t", context.deployment.term)
        .end();
  out.append_int32("connectionId", static_cast<std::int32_t>(context.connection.number));
  if (last.code != 0) {
    append_error(context, last);
    return Replied{};
  }
  if (last.updated_existing) out.append_bool("updatedExisting", *last.updated_existing);
  if (last.upserted) out.append("upserted", last.upserted);
  out.append_int32("n", last.n).append_int32("syncMillis", 0);
  const wire::ValueView w = context.request["w"];
  append_written_to(context, w);
  append_write_concern(context, w);
  out.append_null("err");
  if (const auto error = unsatisfiable(context.deployment, w)) append_failure(context, *error);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_last_error_command{
    .name = "getLastError",
    .aliases = {"getlasterror"},
    .needs_auth = NeedsAuth::No,
    .wire_version_max = 13,
    .authorized = anybody,
    .run = run,
    .help = "Says how this connection's last write by a legacy opcode went."};

}  // namespace emulator
