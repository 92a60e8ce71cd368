// A deployment with authentication on, and users who log in to it. For tests.
#pragma once

#include <memory>
#include <string>

#include "tests/support/fake_client.h"
#include "tests/support/scram_client.h"

namespace oplogue_test {

class Secured {
 public:
  enum class Users { None, Root };
  // With the user root, whose password is "secret", or with none.
  explicit Secured(Users users = Users::Root);
  static World without_authentication();

  // A connection on which nobody has logged in. `subject`: of its certificate.
  std::uint64_t open(const std::string& subject = {});
  // One of root.
  std::uint64_t root();
  // One of a new user with the password "p"; `roles`: a JSON array.
  std::uint64_t user(const std::string& name, const std::string& roles, const std::string& db = "test");
  // "ok", or "CODE MESSAGE".
  std::string error(std::uint64_t connection, const std::string& db, const std::string& command);

 private:
  std::unique_ptr<emulator::Engine> engine_;
  std::uint64_t next_ = 1;
  std::uint64_t root_ = 0;

 public:
  World world;
};

}  // namespace oplogue_test
