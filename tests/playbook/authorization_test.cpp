// What users may do by their roles, as mongod 6.0.5 allowed or refused it (security/who_may.txt, security/builtin_roles.jsonl).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "tests/support/secured.h"
#include "wire/extended_json.h"

namespace oplogue_test {
namespace {

constexpr const char* folder = OPLOGUE_SOURCE_DIR "/tests/playbook/security/";

const std::map<std::string, std::string>& users() {
  static const std::map<std::string, std::string> roles{
      {"none", "[]"},
      {"read", R"(["read"])"},
      {"readWrite", R"(["readWrite"])"},
      {"dbAdmin", R"(["dbAdmin"])"},
      {"userAdmin", R"(["userAdmin"])"},
      {"dbOwner", R"(["dbOwner"])"},
      {"readOther", R"([{"role": "read", "db": "other"}])"},
      {"readLocal", R"([{"role": "read", "db": "local"}])"},
      {"readAnyDatabase", R"([{"role": "readAnyDatabase", "db": "admin"}])"},
      {"readWriteAnyDatabase", R"([{"role": "readWriteAnyDatabase", "db": "admin"}])"},
      {"dbAdminAnyDatabase", R"([{"role": "dbAdminAnyDatabase", "db": "admin"}])"},
      {"userAdminAnyDatabase", R"([{"role": "userAdminAnyDatabase", "db": "admin"}])"},
      {"clusterMonitor", R"([{"role": "clusterMonitor", "db": "admin"}])"},
      {"hostManager", R"([{"role": "hostManager", "db": "admin"}])"},
      {"clusterManager", R"([{"role": "clusterManager", "db": "admin"}])"},
      {"clusterAdmin", R"([{"role": "clusterAdmin", "db": "admin"}])"},
      {"backup", R"([{"role": "backup", "db": "admin"}])"},
      {"restore", R"([{"role": "restore", "db": "admin"}])"},
      {"root", R"([{"role": "root", "db": "admin"}])"}};
  return roles;
}

struct Recorded {
  std::string db;
  std::string command;
  std::set<std::string> may;
};

std::vector<Recorded> recorded() {
  std::vector<Recorded> out;
  std::ifstream file(std::string(folder) + "who_may.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    const std::size_t bar = line.rfind(" | ");
    Recorded one{line.substr(0, space), line.substr(space + 1, bar - space - 1), {}};
    std::istringstream names(line.substr(bar + 3));
    for (std::string name; names >> name;) one.may.insert(name);
    if (one.may.contains("all"))
      for (const auto& [name, roles] : users()) one.may.insert(name);
    one.may.erase("all");
    one.may.erase("nobody");
    out.push_back(std::move(one));
  }
  return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), with);
  return text;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + " ";
  return out;
}

TEST(Authorization, EveryRoleMayWhatMongodLetItDo) {
  Secured secured;
  std::map<std::string, std::uint64_t> connections;
  for (const auto& [name, roles] : users()) connections[name] = secured.user(name, roles);
  std::size_t compared = 0;
  for (const Recorded& one : recorded()) {
    std::set<std::string> may;
    bool is_built = true;
    for (const auto& [name, connection] : connections) {
      const std::string error = secured.error(connection, one.db, replaced(one.command, "$SELF", name));
      is_built = is_built && !error.starts_with("59 ") && !error.starts_with("238 ");
      if (!error.starts_with("13 ")) may.insert(name);
    }
    if (!is_built) continue;  // nobody may what is not there
    ++compared;
    EXPECT_EQ(joined(may), joined(one.may)) << one.db << " " << one.command;
  }
  EXPECT_GT(compared, 130U);
}

TEST(Authorization, TheBuiltInRolesHaveMongodsPrivileges) {
  std::ifstream file(std::string(folder) + "builtin_roles.jsonl");
  std::size_t compared = 0;
  for (std::string line; std::getline(file, line);) {
    const wire::Document role = json(line);
    const emulator::RoleName name{std::string(role["role"].as_string()), std::string(role["db"].as_string())};
    wire::DocumentBuilder out;
    out.begin_array("privileges");
    emulator::privileges_of(name).append_to(out);
    out.end();
    const wire::Document mine = out.finish();
    std::set<std::string> expected;
    std::set<std::string> actual;
    const auto items = [](wire::ValueView privileges, std::set<std::string>& into) {
      for (const wire::Element& one : privileges.as_document()) {
        const wire::DocumentView privilege = one.value.as_document();
        std::set<std::string> actions;
        for (const wire::Element& action : privilege["actions"].as_document())
          actions.insert(std::string(action.value.as_string()));
        into.insert(wire::to_json(privilege["resource"].as_document(), wire::JsonForm::Relaxed) + " " +
                    joined(actions));
      }
    };
    items(role["privileges"], expected);
    items(mine["privileges"], actual);
    EXPECT_EQ(actual, expected) << line.substr(0, 60);
    ++compared;
  }
  EXPECT_EQ(compared, 19U);
}

TEST(Authorization, EveryCommandSaysWhomItObeys) {
  for (const emulator::CommandSpec* command : emulator::all_commands())
    EXPECT_NE(command->authorized, nullptr) << command->name << ": its row has no .authorized (authorization.h)";
}

TEST(Authorization, ARefusalShowsTheCommandWithoutItsDocumentsAndPasswords) {
  Secured secured;
  const std::uint64_t none = secured.user("none", "[]");
  EXPECT_EQ(secured.error(none, "test", R"({"insert": "c", "documents": [{"a": 1}]})"),
            "13 not authorized on test to execute command { insert: \"c\", documents: [ { a: 1 } ], $db: \"test\" }");
  EXPECT_EQ(secured.error(none, "test", R"({"insert": "c", "documents": [{"a": 1}, {"a": 2}]})"),
            "13 not authorized on test to execute command { insert: \"c\", documents: 2, $db: \"test\" }");
  EXPECT_EQ(secured.error(none, "test", R"({"updateUser": "x", "pwd": "secret"})"),
            "13 not authorized on test to execute command { updateUser: \"x\", pwd: \"xxx\", $db: \"test\" }");
}

TEST(Authorization, ACursorIsItsUsers) {
  Secured secured;
  secured.error(secured.root(), "test", R"({"insert": "c", "documents": [{}, {}, {}]})");
  const std::uint64_t alice = secured.user("alice", R"(["read"])");
  const std::uint64_t bob = secured.user("bob", R"(["read"])");
  const wire::Document found = ask(secured.world, alice, "test", json(R"({"find": "c", "batchSize": 1})"));
  const std::string id = std::to_string(found.find_path("cursor.id").as_int64());
  const std::string more = R"({"getMore": {"$numberLong": ")" + id + R"("}, "collection": "c", "batchSize": 1})";
  EXPECT_EQ(secured.error(bob, "test", more), "13 cursor id " + id + " was not created by the authenticated user");
  EXPECT_EQ(
      secured.error(bob, "test", R"({"killCursors": "c", "cursors": [{"$numberLong": ")" + id + R"("}]})"),
      "13 not authorized on test to execute command { killCursors: \"c\", cursors: [ " + id + " ], $db: \"test\" }");
  EXPECT_EQ(secured.error(alice, "test", more), "ok");
  secured.error(secured.root(), "test", R"({"updateUser": "alice", "roles": []})");
  EXPECT_EQ(secured.error(alice, "test", more), "13 not authorized for getMore with cursor id " + id);
}

TEST(Authorization, ChangesOfAUserReachItsConnectionsAtOnce) {
  Secured secured;
  const std::uint64_t alice = secured.user("alice", R"(["read"])");
  EXPECT_EQ(secured.error(alice, "test", R"({"find": "c"})"), "ok");
  secured.error(secured.root(), "test", R"({"revokeRolesFromUser": "alice", "roles": ["read"]})");
  EXPECT_EQ(secured.error(alice, "test", R"({"find": "c"})"),
            "13 not authorized on test to execute command { find: \"c\", $db: \"test\" }");
  secured.error(secured.root(), "test", R"({"grantRolesToUser": "alice", "roles": ["readWrite"]})");
  EXPECT_EQ(secured.error(alice, "test", R"({"insert": "c", "documents": [{}]})"), "ok");
  secured.error(secured.root(), "test", R"({"dropUser": "alice"})");
  secured.error(secured.root(), "test", R"({"createUser": "alice", "pwd": "p", "roles": ["read"]})");
  EXPECT_EQ(secured.error(alice, "test", R"({"find": "c"})"), "13 command find requires authentication")
      << "another user of the same name";
}

TEST(Authorization, DatabasesAndCollectionsAreListedAsFarAsTheUserReaches) {
  Secured secured;
  for (const char* db : {"test", "other"}) secured.error(secured.root(), db, R"({"insert": "c", "documents": [{}]})");
  const auto names = [&](std::uint64_t connection) {
    const wire::Document reply =
        ask(secured.world, connection, "admin", json(R"({"listDatabases": 1, "nameOnly": true})"));
    std::set<std::string> out;
    for (const wire::Element& database : reply["databases"].as_document())
      out.insert(std::string(database.value.as_document()["name"].as_string()));
    return out;
  };
  EXPECT_EQ(names(secured.user("none", "[]")), std::set<std::string>{});
  const std::uint64_t read = secured.user("read", R"(["read"])");
  EXPECT_EQ(names(read), std::set<std::string>{"test"});
  EXPECT_EQ(names(secured.root()), (std::set<std::string>{"admin", "config", "local", "other", "test"}));
  EXPECT_EQ(secured.error(read, "admin", R"({"listDatabases": 1, "authorizedDatabases": false})"),
            "13 Insufficient permissions to list all databases");
}

}  // namespace
}  // namespace oplogue_test
