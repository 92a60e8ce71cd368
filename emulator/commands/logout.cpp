#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

// Only the database that the user belongs to logs out.
Outcome run(Context& context) {
  std::optional<Login>& login = context.connection.identity.login;
  if (login && login->name.db == context.request.db) login.reset();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec logout_command{
    .name = "logout", .authorized = anybody, .run = run, .help = "Logs out."};

}  // namespace emulator
