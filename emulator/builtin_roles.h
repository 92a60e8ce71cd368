// The roles that every deployment has, as mongod 6.0.5's rolesInfo shows them. Knows no users.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/privileges.h"

namespace emulator {

struct RoleName {
  std::string role;
  std::string db;
  auto operator<=>(const RoleName&) const = default;
};

// "read@app".
std::string role_text(const RoleName& name);
// Whether there is such a role: some belong to every database, others to admin only.
bool is_builtin_role(const RoleName& name);
// None for a role that does not exist.
Privileges privileges_of(const RoleName& name);
// The names of the roles that a database has, sorted.
std::vector<RoleName> builtin_roles(std::string_view db);

}  // namespace emulator
