#include <fmt/format.h>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/deployment.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.append_string("nonce", fmt::format("{:016x}", context.deployment.object_ids.next()));
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_nonce_command{
    .name = "getnonce",
    .needs_auth = NeedsAuth::No,
    .wire_version_max = 17,  // gone with 6.2
    .authorized = anybody,
    .run = run,
    .help = "Gives a random number, for a mechanism of authentication that is no more."};

}  // namespace emulator
