#include <algorithm>
#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/query.h"
#include "emulator/users.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("showCredentials"), std::string_view("showCustomData"),
                            std::string_view("showPrivileges"),  std::string_view("showAuthenticationRestrictions"),
                            std::string_view("filter"),          std::string_view("maxTimeMS")};

// Whom the command asks for.
struct Asked {
  enum class Scope { Named, Database, AllDatabases } scope = Scope::Named;
  std::vector<UserName> names;
};

UserName read_name(wire::ValueView value, std::string_view db) {
  if (value.is(wire::Type::String)) return {std::string(value.as_string()), std::string(db)};
  if (!value.is(wire::Type::Document))
    throw CommandError(code::bad_value, "UserName must be either a string or an object");
  UserName name{{}, std::string(db)};
  for (const wire::Element& element : value.as_document()) {
    if (element.name != "user" && element.name != "db")
      throw CommandError(code::bad_value, "UserName contains an unknown field named: '" + std::string(element.name));
    const std::string text(element.value.is(wire::Type::String) ? element.value.as_string() : "");
    (element.name == "user" ? name.user : name.db) = text;
  }
  return name;
}

Asked read_asked(const Request& request) {
  const wire::ValueView target = request.target();
  if (target.is_number()) return {Asked::Scope::Database, {}};
  if (target.is(wire::Type::Document) && target.as_document().has("forAllDBs")) return {Asked::Scope::AllDatabases, {}};
  Asked asked;
  if (!target.is(wire::Type::Array)) {
    asked.names.push_back(read_name(target, request.db));
    return asked;
  }
  for (const wire::Element& element : target.as_document()) asked.names.push_back(read_name(element.value, request.db));
  return asked;
}

bool is_asked_for(const Asked& asked, const UserName& name, std::string_view db) {
  if (asked.scope == Asked::Scope::AllDatabases) return true;
  if (asked.scope == Asked::Scope::Database) return name.db == db;
  return std::ranges::find(asked.names, name) != asked.names.end();
}

struct Shown {
  bool credentials = false;
  bool custom_data = true;
  bool privileges = false;
};

void append_mechanisms(wire::DocumentBuilder& out, const wire::Document& user) {
  out.begin_array("mechanisms");
  for (const std::string& mechanism : mechanisms_of(user)) out.append_string(out.item_name(), mechanism);
  out.end();
}

void append_inherited(wire::DocumentBuilder& out, const wire::Document& user) {
  const Login login = make_login(user);
  out.begin_array("inheritedRoles");
  for (const RoleName& role : login.roles) append_role(out, role);
  out.end().begin_array("inheritedPrivileges");
  login.privileges.append_to(out);
  out.end().begin_array("inheritedAuthenticationRestrictions").end();
}

wire::Document describe(const wire::Document& user, const Shown& shown) {
  wire::DocumentBuilder out;
  for (const wire::Element& element : user) {
    if (element.name == "customData" && !shown.custom_data) continue;
    if (element.name == "credentials") {
      if (shown.credentials) out.append(element.name, element.value);
      if (shown.privileges) append_mechanisms(out, user);
      continue;
    }
    out.append(element.name, element.value);
  }
  if (!shown.privileges) append_mechanisms(out, user);
  if (shown.privileges) append_inherited(out, user);
  return out.finish();
}

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "usersInfo");
  const Asked asked = read_asked(context.request);
  Shown shown;
  shown.credentials = arguments.boolean("showCredentials");
  shown.custom_data = arguments.boolean("showCustomData", true);
  shown.privileges = arguments.boolean("showPrivileges") || arguments.boolean("showAuthenticationRestrictions");
  if (shown.privileges && asked.scope != Asked::Scope::Named)
    throw CommandError(code::illegal_operation,
                       "Privilege or restriction details require exact-match usersInfo queries");
  const Matcher filter = Matcher::parse(arguments.object("filter"), match_context(context, MatchPlace::Find));
  std::vector<wire::Document> users = all_users(context.deployment.store);
  std::ranges::stable_sort(users, {}, [](const wire::Document& user) {
    const UserName name = name_of(user);
    return std::pair(name.user, name.db);
  });
  context.reply.begin_array("users");
  for (const wire::Document& user : users)
    if (is_asked_for(asked, name_of(user), context.request.db) && filter.matches(user))
      context.reply.append_document(context.reply.item_name(), describe(user, shown));
  context.reply.end();
  return Replied{};
}

// Everybody may look at himself.
bool authorized(const Context& context, const Request& request) {
  const Asked asked = read_asked(request);
  if (asked.scope == Asked::Scope::AllDatabases) return may(context, Resource::cluster(), {Action::ViewUser});
  if (asked.scope == Asked::Scope::Database) return may(context, Resource::database(request.db), {Action::ViewUser});
  return std::ranges::all_of(asked.names, [&](const UserName& name) {
    return user_text(name) == current_user(context) || may(context, Resource::database(name.db), {Action::ViewUser});
  });
}

}  // namespace

extern constinit const CommandSpec users_info_command{
    .name = "usersInfo", .fields = fields, .authorized = authorized, .run = run, .help = "Lists users."};

}  // namespace emulator
