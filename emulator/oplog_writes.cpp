#include "emulator/oplog_writes.h"

#include "emulator/error_codes.h"
#include "emulator/readable.h"

namespace emulator {
namespace {

constexpr std::string_view oplog_db = "local";
constexpr std::string_view oplog_collection = "oplog.rs";

}  // namespace

bool may_try_oplog(const Context& context, std::string_view collection) {
  return context.request.db == oplog_db && collection == oplog_collection && context.profile().wording <= Wording::V4_2;
}

Failure oplog_insert_failure(wire::DocumentView document) {
  const wire::ValueView ts = document["ts"];
  if (ts.missing()) return CommandError(code::bad_value, "no ts field");
  if (!ts.is(wire::Type::Timestamp)) return CommandError(code::bad_value, "ts must be a Timestamp");
  not_built("a client's own entries in local.oplog.rs");
}

Failure oplog_update_failure(const Context& context, const Matcher& filter) {
  const QueryOptions one{0, 1, nullptr};
  if (!Readable(context, oplog_db, oplog_collection).find(filter, {}, one).empty())
    not_built("changes of entries in local.oplog.rs");
  return std::nullopt;
}

Failure oplog_delete_failure() {
  return CommandError(code::illegal_operation, "cannot remove from a capped collection: local.oplog.rs");
}

}  // namespace emulator
