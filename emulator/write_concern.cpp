#include "emulator/write_concern.h"

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/deployment.h"
#include "emulator/error_codes.h"
#include "emulator/facts/reply_facts.h"

namespace emulator {
namespace {

wire::Document described(const Context& context, wire::DocumentView concern, const CommandError& error) {
  wire::DocumentBuilder out;
  out.begin_document("writeConcernError").append_int32("code", error.code);
  out.append_string("codeName", error_code_name(error.code, context.profile().errors));
  out.append_string("errmsg", error.message);
  if (!context.profile().replies.write_concern_in_error) return out.end().finish();
  out.begin_document("errInfo").begin_document("writeConcern").append("w", concern["w"]);
  const std::int64_t timeout_ms = whole_number(concern["wtimeout"]);
  out.append_int32("wtimeout", static_cast<std::int32_t>(timeout_ms)).append_string("provenance", "clientSupplied");
  return out.end().end().end().finish();
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

wire::Document write_concern_failure(const Context& context) {
  const wire::ValueView concern = context.request.generic.write_concern;
  if (!concern.is(wire::Type::Document) || !context.deployment.is_replica_set()) return {};
  const auto error = unsatisfiable(context.deployment, concern.as_document()["w"]);
  return error ? described(context, concern.as_document(), *error) : wire::Document();
}

}  // namespace emulator
