// The fields that createUser and its kin take: roles, mechanisms, a password, as parts of a user's document.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/arguments.h"
#include "emulator/context.h"
#include "emulator/users.h"

namespace emulator {

// What createUser and updateUser know.
inline constexpr std::array user_fields{std::string_view("pwd"),        std::string_view("customData"),
                                        std::string_view("roles"),      std::string_view("digestPassword"),
                                        std::string_view("mechanisms"), std::string_view("authenticationRestrictions"),
                                        std::string_view("maxTimeMS")};

// Those of an array of names ("read": of `db`) and documents {role, db}; none twice. Throws 2 for what is neither, 31 for a role that
// does not exist.
std::vector<RoleName> read_roles(wire::DocumentView array, std::string_view db);
// The mechanisms that are asked for; both SCRAMs where nothing is said. Throws 2.
std::vector<ScramHash> read_mechanisms(const Arguments& arguments);
// Name and database that a user command is about. Throws for a name that is no string, or has a NUL in it.
UserName read_user_name(const Context& context, const Arguments& arguments, std::string_view field);

// Writes `credentials`: made from the password, with new salts.
void append_credentials(wire::DocumentBuilder& out, Deployment& deployment, const UserName& name,
                        std::string_view password, const Arguments& arguments);
void append_roles(wire::DocumentBuilder& out, const std::vector<RoleName>& roles);
// Throws 238: a restriction that nothing would heed must not be taken in silence.
void refuse_restrictions(const Arguments& arguments);

// Changes the document of a user that exists; `modifiers` as update takes them. Throws CommandError.
void update_user(Context& context, const UserName& name, wire::DocumentView modifiers);
// Removes the document of a user that exists.
void remove_user(Context& context, const UserName& name);

// What granting and revoking roles asks of the one who does it: on each role's database, and on the user's own. For rules:
// a field of another shape asks nothing, since the command refuses it.
bool may_on_roles(const Context& context, const Request& request, Action action);

}  // namespace emulator
