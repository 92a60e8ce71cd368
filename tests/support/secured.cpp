#include "tests/support/secured.h"

#include <chrono>

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

emulator::DeploymentSpec spec(emulator::Authentication authentication) {
  emulator::DeploymentSpec out;
  out.profile = "mongodb-6.0";
  out.held_clock = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
  out.authentication = authentication;
  return out;
}

std::unique_ptr<emulator::Engine> engine(Secured::Users users) {
  emulator::DeploymentSpec secured = spec(emulator::Authentication::On);
  if (users == Secured::Users::Root) secured.users.push_back({"root", "secret"});
  return std::make_unique<emulator::Engine>(std::move(secured), emulator::Now{1s, {}}, nullptr);
}

}  // namespace

Secured::Secured(Users users) : engine_(engine(users)), world(Machine::of(*engine_), {1s, {}}) { world.listen(); }

World Secured::without_authentication() {
  static const auto kept =
      std::make_unique<emulator::Engine>(spec(emulator::Authentication::Off), emulator::Now{1s, {}}, nullptr);
  World world(Machine::of(*kept), {1s, {}});
  world.listen();
  return world;
}

std::uint64_t Secured::open(const std::string& subject) {
  const std::uint64_t connection = next_++;
  world.input(emulator::Opened{.connection = static_cast<emulator::ConnectionId>(connection),
                               .member = emulator::MemberId{0},
                               .peer = "127.0.0.1:50000",
                               .local = "127.0.0.1:27017",
                               .subject = subject});
  return connection;
}

std::uint64_t Secured::root() {
  if (root_ == 0) {
    root_ = open();
    log_in(world, root_, "admin", "root", "secret");
  }
  return root_;
}

std::uint64_t Secured::user(const std::string& name, const std::string& roles, const std::string& db) {
  ask(world, root(), db,
      json(R"({"createUser": ")" + name + R"(", "pwd": "p", "mechanisms": ["SCRAM-SHA-1"], "roles": )" + roles + "}"));
  const std::uint64_t connection = open();
  log_in(world, connection, db, name, "p", emulator::ScramHash::Sha1);
  return connection;
}

std::string Secured::error(std::uint64_t connection, const std::string& db, const std::string& command) {
  const wire::Document reply = ask(world, connection, db, json(command));
  if (!reply["errmsg"].is(wire::Type::String)) return reply.is_default() ? "no reply" : "ok";
  const wire::ValueView code = reply["code"];
  return (code ? std::to_string(code.as_int32()) : std::string("0")) + " " + std::string(reply["errmsg"].as_string());
}

}  // namespace oplogue_test
