#include "emulator/write_concern.h"

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/deployment.h"
#include "emulator/error_codes.h"
#include "emulator/facts/reply_facts.h"

namespace emulator {
namespace {

void append_error(Context& context, wire::DocumentView concern, int code, std::string_view message) {
  wire::DocumentBuilder& reply = context.reply;
  reply.begin_document("writeConcernError").append_int32("code", code);
  reply.append_string("codeName", error_code_name(code, context.profile().errors));
  reply.append_string("errmsg", message);
  if (!context.profile().replies.write_concern_in_error) {
    reply.end();
    return;
  }
  reply.begin_document("errInfo").begin_document("writeConcern").append("w", concern["w"]);
  const std::int64_t timeout_ms = whole_number(concern["wtimeout"]);
  reply.append_int32("wtimeout", static_cast<std::int32_t>(timeout_ms)).append_string("provenance", "clientSupplied");
  reply.end().end().end();
}

}  // namespace

std::optional<CommandError> unsatisfiable(const Deployment& deployment, wire::ValueView w) {
  if (!deployment.is_replica_set()) return std::nullopt;
  const auto bears_data = [](const Member& member) { return member.role != Role::Arbiter; };
  const auto members = std::ranges::count_if(deployment.members, bears_data);
  constexpr int too_few_members = 100;
  constexpr int unknown_mode = 79;
  if (w.is_number() && whole_number(w) > members) return CommandError(too_few_members, "Not enough data-bearing nodes");
  if (w.is(wire::Type::String) && w.as_string() != "majority")
    return CommandError(unknown_mode, "No write concern mode named '" + std::string(w.as_string()) +
                                          "' found in replica set configuration");
  return std::nullopt;
}

void append_write_concern_error(Context& context) {
  const wire::ValueView concern = context.request.generic.write_concern;
  if (!concern.is(wire::Type::Document) || !context.deployment.is_replica_set()) return;
  if (const auto error = unsatisfiable(context.deployment, concern.as_document()["w"]))
    append_error(context, concern.as_document(), error->code, error->message);
}

}  // namespace emulator
