#include "emulator/user_roles.h"

#include "emulator/error_codes.h"

namespace emulator {

void change_roles(Context& context, std::string_view command, const ChangeRoles& change) {
  const Arguments arguments(context.request.body, std::string(command));
  const UserName name = read_user_name(context, arguments, command);
  arguments.required("roles");
  const wire::DocumentView asked = arguments.array("roles").value_or(wire::DocumentView());
  if (asked.empty())
    throw CommandError(code::bad_value, std::string(command) + " command requires a non-empty \"roles\" array");
  const wire::Document user = find_user(context.deployment.store, name);
  if (user.is_default())
    throw CommandError(code::user_not_found, "Could not find user \"" + name.user + "\" for db \"" + name.db + "\"");
  std::vector<RoleName> roles = roles_of(user);
  change(roles, read_roles(asked, name.db));
  wire::DocumentBuilder set;
  append_roles(set, roles);
  wire::DocumentBuilder modifiers;
  update_user(context, name, modifiers.append_document("$set", set.finish()).finish());
}

}  // namespace emulator
