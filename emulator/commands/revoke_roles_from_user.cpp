#include <algorithm>
#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/user_roles.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("roles"), std::string_view("maxTimeMS")};

Outcome run(Context& context) {
  change_roles(context, "revokeRolesFromUser", [](std::vector<RoleName>& has, const std::vector<RoleName>& asked) {
    std::erase_if(has, [&](const RoleName& role) { return std::ranges::find(asked, role) != asked.end(); });
  });
  return Replied{};
}

bool authorized(const Context& context, const Request& request) {
  return may_on_roles(context, request, Action::RevokeRole);
}

}  // namespace

extern constinit const CommandSpec revoke_roles_from_user_command{.name = "revokeRolesFromUser",
                                                                  .runs_on = RunsOn::Primary,
                                                                  .write_concern = WriteConcern::Supported,
                                                                  .fields = fields,
                                                                  .authorized = authorized,
                                                                  .run = run,
                                                                  .help = "Takes roles from a user."};

}  // namespace emulator
