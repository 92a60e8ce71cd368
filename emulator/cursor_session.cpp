#include "emulator/cursor_session.h"

#include "emulator/authorization.h"
#include "emulator/command_error.h"
#include "emulator/error_codes.h"
#include "wire/base64.h"

namespace emulator {
namespace {

// As mongod prints a logical session id: the id, the digest of its user (SHA-256, base64; of nobody: of nothing), and from 6.0
// on two absent parts.
std::string session_text(wire::DocumentView lsid, std::string_view user, Wording wording) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  const wire::ValueView id = lsid["id"];
  if (id.is(wire::Type::Binary)) {
    for (const std::uint8_t byte : id.as_binary().bytes) {
      text += hex[byte >> 4];
      text += hex[byte & 15];
      if (text.size() == 8 || text.size() == 13 || text.size() == 18 || text.size() == 23) text += '-';
    }
  }
  const std::string_view absent_parts = wording <= Wording::V5_0 ? "" : " -  - ";
  const std::string digest = sha256(user);
  return text + " - " + wire::to_base64({reinterpret_cast<const std::uint8_t*>(digest.data()), digest.size()}) +
         std::string(absent_parts);
}

}  // namespace

std::string logical_session_text(wire::DocumentView lsid, Wording wording) { return session_text(lsid, {}, wording); }

void check_cursor_owner(const Context& context, const Cursor& cursor) {
  const Identity& identity = context.connection.identity;
  if (context.deployment.spec.authentication == Authentication::Off || identity.direct) return;
  const wire::DocumentView lsid = context.request.lsid();
  const std::string user = current_user(context);
  const std::string id = std::to_string(cursor.id);
  const Wording wording = context.profile().wording;
  if (!cursor.lsid.is_default() && (cursor.user != user || !cursor.lsid["id"].identical(lsid["id"])))
    throw CommandError(code::unauthorized,
                       "Cursor session id (" + session_text(cursor.lsid, cursor.user, wording) +
                           ") is not the same as the operation context's session id (" +
                           (context.request.has_lsid() ? session_text(lsid, user, wording) : std::string("none")) +
                           ")");
  if (cursor.user != user)
    throw CommandError(code::unauthorized, "cursor id " + id + " was not created by the authenticated user");
  if (!is_authorized(context, cursor.db, cursor.command))
    throw CommandError(code::unauthorized, "not authorized for getMore with cursor id " + id);
}

void check_cursor_session(const Cursor& cursor, const Request& request, Wording wording) {
  const bool in_session = request.has_lsid();
  const std::string start = "Cannot run getMore on cursor " + std::to_string(cursor.id);
  if (cursor.lsid.is_default()) {
    if (in_session)
      throw CommandError(50736, start + ", which was not created in a session, in session " +
                                    session_text(request.lsid(), cursor.user, wording));
    return;
  }
  const std::string created =
      start + ", which was created in session " + session_text(cursor.lsid, cursor.user, wording);
  if (!in_session) throw CommandError(50737, created + ", without an lsid");
  if (!cursor.lsid["id"].identical(request.lsid()["id"]))
    throw CommandError(50738, created + ", in session " + session_text(request.lsid(), cursor.user, wording));
}

}  // namespace emulator
