#include "emulator/authorization.h"

#include <algorithm>

#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/error_codes.h"
#include "emulator/secrets.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

bool is_asked(const Context& context) {
  return context.deployment.spec.authentication == Authentication::On && !context.connection.identity.direct;
}

// The localhost exception: until the first user is made, somebody on this machine may make it.
bool is_localhost_exception(const Context& context) {
  const std::string& peer = context.connection.peer;
  return !context.connection.identity.login && !has_had_users(context.deployment.store) &&
         (peer.starts_with("127.") || peer.starts_with("[::1]"));
}

const Privileges& localhost_privileges() {
  static const Privileges privileges = [] {
    Privileges out;
    out.grant(Resource::database("admin"), ActionSet::of("createUser createRole grantRole"));
    out.grant(Resource::cluster(), ActionSet::of("addShard replSetConfigure replSetGetStatus"));
    return out;
  }();
  return privileges;
}

// As the server logs a write: an array of several statements is their number.
wire::Document shortened(wire::DocumentView command) {
  static constexpr std::array statements{std::string_view("documents"), std::string_view("updates"),
                                         std::string_view("deletes")};
  wire::DocumentBuilder out;
  for (const wire::Element& element : command) {
    const bool is_statements = std::ranges::find(statements, element.name) != statements.end();
    std::int32_t count = 0;
    if (is_statements && element.value.is(wire::Type::Array))
      for ([[maybe_unused]] const wire::Element& item : element.value.as_document()) ++count;
    if (count > 1)
      out.append_int32(element.name, count);
    else
      out.append(element.name, element.value);
  }
  return out.finish();
}

}  // namespace

void refresh_login(Context& context) {
  std::optional<Login>& login = context.connection.identity.login;
  if (!login) return;
  wire::Document now = find_user(context.deployment.store, login->name);
  if (now.is_default() || !now["userId"].identical(login->user["userId"]))
    login.reset();
  else if (!now.same_buffer(login->user))
    login = make_login(std::move(now));
}

void require_login(Context& context, const CommandSpec& spec) {
  if (!is_asked(context)) return;
  refresh_login(context);
  if (context.connection.identity.login || spec.needs_auth == NeedsAuth::No || is_localhost_exception(context)) return;
  throw CommandError(code::unauthorized, "command " + std::string(spec.name) + " requires authentication");
}

void require_authorized(const Context& context, const CommandSpec& spec) {
  if (!is_asked(context) || is_authorized(context, spec, context.request)) return;
  wire::Document shown = shortened(context.request.body);
  hide_secrets(shown, &spec);
  throw CommandError(code::unauthorized, "not authorized on " + std::string(context.request.db) +
                                             " to execute command " + wire::shell_document_text(shown));
}

bool is_authorized(const Context& context, const CommandSpec& spec, const Request& request) {
  return spec.authorized != nullptr ? spec.authorized(context, request) : is_root(context);
}

bool is_authorized(const Context& context, std::string_view db, wire::DocumentView command) {
  const CommandSpec* spec = command_named(command.first().name, context.profile());
  if (spec == nullptr) return false;
  Request request;
  request.name = command.first().name;
  request.db = db;
  request.body = command;
  return is_authorized(context, *spec, request);
}

bool may(const Context& context, const Resource& target, std::initializer_list<Action> actions) {
  if (!is_asked(context)) return true;
  if (const std::optional<Login>& login = context.connection.identity.login)
    return login->privileges.allow(target, actions);
  return is_localhost_exception(context) && localhost_privileges().allow(target, actions);
}

bool is_root(const Context& context) {
  if (!is_asked(context)) return true;
  const std::optional<Login>& login = context.connection.identity.login;
  return login && std::ranges::any_of(login->roles, [](const RoleName& role) {
           return role.db == "admin" && (role.role == "root" || role.role == "__system");
         });
}

std::string current_user(const Context& context) {
  const std::optional<Login>& login = context.connection.identity.login;
  return login ? user_text(login->name) : std::string();
}

bool may_see_role(const Context& context, const RoleName& role) {
  const std::optional<Login>& login = context.connection.identity.login;
  if (login && std::ranges::find(login->roles, role) != login->roles.end()) return true;
  return may(context, Resource::database(role.db), {Action::ViewRole});
}

Resource target_collection(const Request& request) {
  const wire::ValueView name = request.target();
  return Resource::of(request.db, name.is(wire::Type::String) ? name.as_string() : std::string_view());
}

}  // namespace emulator
