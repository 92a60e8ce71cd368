#include "emulator/authentication.h"

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/error_codes.h"
#include "wire/base64.h"

namespace emulator {

std::string read_payload(wire::ValueView payload) {
  if (payload.is(wire::Type::Binary)) {
    const auto bytes = payload.as_binary().bytes;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  if (!payload.is(wire::Type::String))
    throw CommandError(code::bad_value, "Invalid SASLPayload type. Expected Base64 or BinData, got: " +
                                            std::string(wire::type_name(payload.type())));
  const std::optional<std::string> bytes = wire::from_base64(payload.as_string());
  if (!bytes) throw CommandError(10270, "invalid base64");
  return *bytes;
}

void append_conversation(Context& context, std::string_view payload) {
  const std::optional<SaslConversation>& conversation = context.connection.identity.conversation;
  const std::span octets(reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size());
  wire::DocumentBuilder& out = context.reply;
  out.append_int32("conversationId", 1).append_bool("done", conversation->state == SaslConversation::State::Done);
  if (conversation->base64_payload)
    out.append_string("payload", wire::to_base64(octets));
  else
    out.append_binary("payload", 0, octets);
}

void log_in(Context& context, const UserName& name) {
  refresh_login(context);
  Identity& identity = context.connection.identity;
  if (identity.login && identity.login->name != name) {
    const std::string before = user_text(identity.login->name);
    if (identity.login->name.db == name.db)
      throw CommandError(
          5626702, "Client has attempted to authenticate on multiple databases.Already authenticated as: " + before);
    throw CommandError(5626701,
                       "Each client connection may only be authenticated once. Previously authenticated as: " + before);
  }
  wire::Document user = find_user(context.deployment.store, name);
  if (user.is_default())
    throw CommandError(code::user_not_found, "Could not find user \"" + name.user + "\" for db \"" + name.db + "\"");
  identity.login = make_login(std::move(user));
}

wire::Document authenticate_speculatively(Context& context, wire::DocumentView command) {
  if (command.empty()) throw CommandError(code::bad_value, "hello.speculativeAuthenticate must be a non-empty Object");
  const std::string_view name = command.first().name;
  const CommandSpec* spec = command_named(name, context.profile());
  if (spec == nullptr || spec->in_hello == InHello::No)
    throw CommandError(51769, "hello.speculativeAuthenticate unknown command: " + std::string(name));
  const wire::ValueView db = command["db"];
  if (!db.is(wire::Type::String)) return {};
  wire::DocumentBuilder without_db;
  for (const wire::Element& element : command)
    if (element.name != "db") without_db.append(element.name, element.value);
  const wire::Document body = without_db.finish();
  Exchange exchange;
  exchange.member = context.connection.member;
  exchange.request.name = name;
  exchange.request.body = body;
  exchange.request.db = db.as_string();
  Context nested(context.deployment, exchange, context.connection, context.now);
  try {
    spec->run(nested);
  } catch (const CommandError&) {
    return {};
  }
  return exchange.reply.finish();
}

}  // namespace emulator
