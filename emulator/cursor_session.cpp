#include "emulator/cursor_session.h"

#include "emulator/command_error.h"

namespace emulator {
std::string logical_session_text(wire::DocumentView lsid, Wording wording) {
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
  return text + " - 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" + std::string(absent_parts);
}

void check_cursor_session(const Cursor& cursor, const Request& request, Wording wording) {
  const bool in_session = request.has_lsid();
  const std::string start = "Cannot run getMore on cursor " + std::to_string(cursor.id);
  if (cursor.lsid.is_default()) {
    if (in_session)
      throw CommandError(50736, start + ", which was not created in a session, in session " +
                                    logical_session_text(request.lsid(), wording));
    return;
  }
  const std::string created = start + ", which was created in session " + logical_session_text(cursor.lsid, wording);
  if (!in_session) throw CommandError(50737, created + ", without an lsid");
  if (!cursor.lsid["id"].identical(request.lsid()["id"]))
    throw CommandError(50738, created + ", in session " + logical_session_text(request.lsid(), wording));
}

}  // namespace emulator
