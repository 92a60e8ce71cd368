#include <algorithm>
#include <map>
#include <utility>

#include "emulator/commands/table.h"
#include "emulator/cursor.h"
#include "emulator/dispatch.h"
#include "emulator/store/matcher.h"

namespace emulator {
namespace {

// Only getMores take long enough to be seen: those that wait on a cursor.
wire::Document describe(const Context& context, const Cursor& cursor) {
  wire::DocumentBuilder out;
  out.append_string("type", "op").append_string("host", context.connection.local);
  out.append_bool("active", true).append_int32("opid", static_cast<std::int32_t>(cursor.pinned_by));
  if (!cursor.lsid.is_default()) out.append_document("lsid", cursor.lsid);
  out.append_int64("secs_running", std::max<std::int64_t>(context.wall_ms() - cursor.last_used_ms, 0) / 1000);
  out.append_string("op", "getmore").append_string("ns", cursor.ns());
  out.begin_document("command").append_int64("getMore", cursor.id).append_string("collection", cursor.collection);
  out.append_string("$db", cursor.db).end();
  out.begin_document("cursor")
      .append_int64("cursorId", cursor.id)
      .append_int64("nDocsReturned", cursor.documents_returned);
  out.append_bool("tailable", cursor.await_data()).append_bool("awaitData", cursor.await_data());
  out.append_document("originatingCommand", cursor.command).end();
  return out.finish();
}

// The command's other fields are a query on what it would list.
wire::Document filter_of(const Request& request) {
  wire::DocumentBuilder out;
  bool first = true;
  for (const wire::Element& element : request.body) {
    const bool own = std::exchange(first, false) || is_generic_field(element.name);
    if (!own) out.append(element.name, element.value);
  }
  return out.finish();
}

Outcome run(Context& context) {
  const Matcher filter = Matcher::parse(filter_of(context.request));
  std::map<std::uint64_t, wire::Document> operations;  // by opid
  for (const auto& [id, cursor] : context.deployment.cursors.all()) {
    if (cursor->pinned_by == 0) continue;
    wire::Document operation = describe(context, *cursor);
    if (filter.matches(operation)) operations.emplace(cursor->pinned_by, std::move(operation));
  }
  wire::DocumentBuilder& out = context.reply.begin_array("inprog");
  for (const auto& [opid, operation] : operations) out.append_document(out.item_name(), operation);
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec current_op_command{
    .name = "currentOp", .admin_only = AdminOnly::Yes, .run = run, .help = "Lists the getMores that wait."};

}  // namespace emulator
