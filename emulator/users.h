// Users as mongod keeps them: documents of admin.system.users. Reading them, and finding out what they say.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/builtin_roles.h"
#include "emulator/scram.h"
#include "wire/document.h"

namespace emulator {

class Store;

// Where users of other sources (X.509) live: they have no password here.
inline constexpr std::string_view external_db = "$external";
inline constexpr std::string_view users_collection = "system.users";

struct UserName {
  std::string user;
  std::string db;
  bool operator==(const UserName&) const = default;
};

// "alice@admin".
std::string user_text(const UserName& name);
// The document's `_id`: "admin.alice".
std::string user_id(const UserName& name);
// Of a document of admin.system.users.
UserName name_of(wire::DocumentView user);
std::vector<RoleName> roles_of(wire::DocumentView user);
std::optional<ScramCredentials> credentials_of(wire::DocumentView user, ScramHash hash);
// Sorted: "SCRAM-SHA-1", "SCRAM-SHA-256"; "external".
std::vector<std::string> mechanisms_of(wire::DocumentView user);

// A default document: there is none of that name.
wire::Document find_user(const Store& store, const UserName& name);
// All of them, in the order of their making.
std::vector<wire::Document> all_users(const Store& store);
// Whether there has ever been one: the localhost exception ends with the first.
bool has_had_users(const Store& store);

// {role, db} as an item of the open array.
void append_role(wire::DocumentBuilder& out, const RoleName& role);

}  // namespace emulator
