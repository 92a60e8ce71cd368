#include "emulator/operation_list.h"

#include <algorithm>
#include <map>

#include "emulator/cursor.h"
#include "emulator/session.h"

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

}  // namespace

std::vector<wire::Document> waiting_operations(const Context& context) {
  std::map<std::uint64_t, wire::Document> by_opid;
  for (const auto& [id, cursor] : context.deployment.cursors.all())
    if (cursor->pinned_by != 0) by_opid.emplace(cursor->pinned_by, describe(context, *cursor));
  std::vector<wire::Document> out;
  for (auto& [opid, operation] : by_opid) out.push_back(std::move(operation));
  return out;
}

wire::Document this_operation(const Context& context) {
  const Request& request = context.request;
  wire::DocumentBuilder out;
  out.append_string("type", "op").append_string("host", context.connection.local);
  out.append_bool("active", true).append_int32("opid", 0);
  if (request.has_lsid()) out.append_document("lsid", full_lsid(request.lsid()));
  out.append_int64("secs_running", 0).append_int64("microsecs_running", 0).append_string("op", "command");
  out.append_string("ns", std::string(request.db) + ".$cmd." + std::string(request.name));
  out.append_document("command", request.body).append_int32("numYields", 0).begin_document("locks").end();
  out.append_bool("waitingForLock", false).begin_document("lockStats").end();
  out.append_bool("waitingForFlowControl", false).begin_document("flowControlStats").end();
  return out.finish();
}

}  // namespace emulator
