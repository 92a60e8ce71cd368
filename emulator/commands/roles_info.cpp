// rolesInfo: the built-in roles are all there are (createRole is not built).
#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/builtin_roles.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/users.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("showPrivileges"), std::string_view("showBuiltinRoles"),
                            std::string_view("showAuthenticationRestrictions"), std::string_view("maxTimeMS")};

RoleName read_name(wire::ValueView value, std::string_view db) {
  if (value.is(wire::Type::String)) return {std::string(value.as_string()), std::string(db)};
  if (!value.is(wire::Type::Document))
    throw CommandError(code::bad_value, "RoleName must be either a string or an object");
  const wire::ValueView role = value.as_document()["role"];
  const wire::ValueView other = value.as_document()["db"];
  return {std::string(role.is(wire::Type::String) ? role.as_string() : ""),
          std::string(other.is(wire::Type::String) ? other.as_string() : db)};
}

std::vector<RoleName> read_names(const Request& request) {
  const wire::ValueView target = request.target();
  if (!target.is(wire::Type::Array)) return {read_name(target, request.db)};
  std::vector<RoleName> out;
  for (const wire::Element& element : target.as_document()) out.push_back(read_name(element.value, request.db));
  return out;
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "rolesInfo");
  std::vector<RoleName> names;
  if (!context.request.target().is_number())
    names = read_names(context.request);
  else if (arguments.boolean("showBuiltinRoles"))
    names = builtin_roles(context.request.db);
  const bool shows_privileges = arguments.boolean("showPrivileges");
  wire::DocumentBuilder& out = context.reply;
  out.begin_array("roles");
  for (const RoleName& name : names) {
    if (!is_builtin_role(name)) continue;
    out.begin_document(out.item_name()).append_string("role", name.role).append_string("db", name.db);
    out.append_bool("isBuiltin", true).begin_array("roles").end().begin_array("inheritedRoles").end();
    if (shows_privileges)
      for (const char* field : {"privileges", "inheritedPrivileges"}) {
        out.begin_array(field);
        privileges_of(name).append_to(out);
        out.end();
      }
    out.end();
  }
  out.end();
  return Replied{};
}

// One's own roles are no secret.
bool authorized(const Context& context, const Request& request) {
  if (request.target().is_number()) return may(context, Resource::database(request.db), {Action::ViewRole});
  const std::vector<RoleName> names = read_names(request);
  return std::ranges::all_of(names, [&](const RoleName& name) { return may_see_role(context, name); });
}

}  // namespace

extern constinit const CommandSpec roles_info_command{
    .name = "rolesInfo", .fields = fields, .authorized = authorized, .run = run, .help = "Lists the built-in roles."};

}  // namespace emulator
