// Giving roles to a user and taking them: what the two commands share.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "emulator/user_fields.h"

namespace emulator {

using ChangeRoles = std::function<void(std::vector<RoleName>& has, const std::vector<RoleName>& asked)>;

// Reads user and roles of the command of that name, and writes the user's roles as `change` leaves them. Throws CommandError.
void change_roles(Context& context, std::string_view command, const ChangeRoles& change);

}  // namespace emulator
