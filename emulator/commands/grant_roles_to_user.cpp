#include <algorithm>
#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/user_roles.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("roles"), std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  change_roles(context, "grantRolesToUser", [](std::vector<RoleName>& has, const std::vector<RoleName>& asked) {
    for (const RoleName& role : asked)
      if (std::ranges::find(has, role) == has.end()) has.push_back(role);
  });
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  return may_on_roles(context, request, Action::GrantRole);
}

}  // namespace

extern constinit const CommandSpec grant_roles_to_user_command{.name = "grantRolesToUser",
                                                               .runs_on = RunsOn::Primary,
                                                               .write_concern = WriteConcern::Supported,
                                                               .fields = fields,
                                                               .authorized = authorized,
                                                               .run = run,
                                                               .help = "Gives a user more roles."};

}  // namespace emulator
