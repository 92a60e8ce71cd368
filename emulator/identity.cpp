#include "emulator/identity.h"

namespace emulator {

Login make_login(wire::Document user) {
  Login login;
  login.name = name_of(user);
  login.roles = roles_of(user);
  for (const RoleName& role : login.roles) login.privileges.grant_all(privileges_of(role));
  login.user = std::move(user);
  return login;
}

}  // namespace emulator
