#include "emulator/session_list.h"

#include "emulator/command_error.h"
#include "emulator/lsid.h"
#include "emulator/server_parameters.h"

namespace emulator {
namespace {

// Those of that session; a default document: of any.
void kill_cursors_of(Deployment& deployment, const wire::Document& id) {
  std::vector<std::int64_t> idle;
  for (const auto& [number, cursor] : deployment.cursors.all()) {
    if (cursor->lsid.is_default()) continue;
    if (!id.is_default() && !cursor->lsid["id"].identical(id["id"])) continue;
    if (cursor->pinned_by != 0)
      deployment.touch(TouchedCursor{number, 11601});
    else
      idle.push_back(number);
  }
  for (const std::int64_t number : idle) deployment.cursors.remove(number);
}

}  // namespace

void expire_sessions(Deployment& deployment, std::int64_t wall_ms) {
  constexpr std::int64_t minute_ms = 60'000;
  const std::int64_t timeout_ms = minute_ms * server_parameter_number(deployment, "localLogicalSessionTimeoutMinutes");
  std::vector<wire::Document> expired;
  for (const auto& [key, session] : deployment.sessions.all())
    if (wall_ms - session.last_used_ms >= timeout_ms) expired.push_back(session.lsid);
  for (const wire::Document& lsid : expired) {
    kill_session(deployment, lsid);
    deployment.sessions.end(lsid);
  }
}

std::vector<wire::DocumentView> listed_documents(const Context& context, const ListPath& path) {
  const auto wrong_type = [](const std::string& field, wire::ValueView value, std::string_view expected) {
    return CommandError(14, "BSON field '" + field + "' is the wrong type '" +
                                std::string(wire::type_name(value.type())) + "', expected type '" +
                                std::string(expected) + "'");
  };
  const Wording wording = context.profile().wording;
  const wire::ValueView list = context.request.target();
  if (!list.is(wire::Type::Array) && wording <= Wording::V4_4)
    throw CommandError(10065, "invalid parameter: expected an object (" + std::string(context.request.name) + ")");
  if (!list.is(wire::Type::Array)) throw wrong_type(std::string(path.list), list, "array");
  std::vector<wire::DocumentView> documents;
  for (const auto& [index, value] : list.as_document()) {
    if (!value.is(wire::Type::Document))
      throw wrong_type(std::string(path.element_of(wording)) + "." + std::string(index), value, "object");
    documents.push_back(value.as_document());
  }
  return documents;
}

std::vector<wire::DocumentView> listed_sessions(const Context& context, const ListPath& path) {
  std::vector<wire::DocumentView> sessions = listed_documents(context, path);
  const Wording wording = context.profile().wording;
  for (const wire::DocumentView lsid : sessions) check_lsid(std::string(path.element_of(wording)), lsid, wording);
  return sessions;
}

void kill_session(Deployment& deployment, wire::DocumentView lsid) {
  if (Session* session = deployment.sessions.find(lsid)) abort_transaction(deployment, *session);
  kill_cursors_of(deployment, wire::Document(lsid));
  deployment.touch(TouchedSession{wire::Document(lsid)});
}

void kill_all_sessions(Deployment& deployment) {
  for (auto& [key, session] : deployment.sessions.all()) {
    abort_transaction(deployment, session);
    deployment.touch(TouchedSession{session.lsid});
  }
  kill_cursors_of(deployment, {});
}

}  // namespace emulator
