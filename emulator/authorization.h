// Who may run what, where authentication is on: mongod's checks before a command, and the usual rules of commands' rows.
#pragma once

#include <initializer_list>
#include <string_view>

#include "emulator/context.h"
#include "emulator/privileges.h"

namespace emulator {

struct CommandSpec;

// Throws 13 when nobody has logged in and the command is none that anybody may run.
void require_login(Context& context, const CommandSpec& spec);
// Throws 13, with the command in it, when the user's roles do not allow it.
void require_authorized(const Context& context, const CommandSpec& spec);

// Forgets a user that is gone, and reads one anew that was changed.
void refresh_login(Context& context);

// Whether whoever sent the request may do this. Always, where authentication is off.
bool may(const Context& context, const Resource& target, std::initializer_list<Action> actions);
// Whether the one logged in has the role root.
bool is_root(const Context& context);
// As user_text; empty: nobody.
std::string current_user(const Context& context);
// Whether the user has the role, or may see the roles of its database.
bool may_see_role(const Context& context, const RoleName& role);
// Whether `request`, of which `spec` is the command, may run: its row's rule.
bool is_authorized(const Context& context, const CommandSpec& spec, const Request& request);
// As is_authorized for a command that once ran in the database, such as the one that opened a cursor.
bool is_authorized(const Context& context, std::string_view db, wire::DocumentView command);

// --- Rules of rows.

inline bool root_only(const Context& context, const Request&) { return is_root(context); }
inline bool anybody(const Context&, const Request&) { return true; }

// The collection that the command's own field names; a name that is no string is the command's to complain about.
Resource target_collection(const Request& request);

template <Action... actions>
bool on_collection(const Context& context, const Request& request) {
  return may(context, target_collection(request), {actions...});
}

template <Action... actions>
bool on_database(const Context& context, const Request& request) {
  return may(context, Resource::database(request.db), {actions...});
}

template <Action... actions>
bool on_cluster(const Context& context, const Request&) {
  return may(context, Resource::cluster(), {actions...});
}

}  // namespace emulator
