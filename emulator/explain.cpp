#include "emulator/explain.h"

#include "emulator/write.h"

namespace emulator {

std::string explained_collection(const Context& context, wire::DocumentView command) {
  const wire::ValueView name = command.first().value;
  if (!name.is(wire::Type::String))
    throw CommandError(2, "collection name has invalid type " + std::string(wire::type_name(name.type())));
  check_collection_name(context.request.db, name.as_string(), context.profile().wording);
  return std::string(name.as_string());
}

void append_explain_version(wire::DocumentBuilder& out, const Profile& profile) {
  if (profile.wording > Wording::V4_4) out.append_string("explainVersion", "1");
}

void append_explained(wire::DocumentBuilder& out, const Context& context, wire::DocumentView command) {
  if (context.profile().wording <= Wording::V4_4) return append_server(out, context);
  out.begin_document("command").append_all(command);
  if (!command.has("$db")) out.append_string("$db", context.request.db);
  out.end();
  append_server(out, context);
}

}  // namespace emulator
