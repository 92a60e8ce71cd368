#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  context.reply.begin_document("js").append_bool("utf8", true).end().append_int32("oidMachine", 1);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec features_command{
    .name = "features", .authorized = anybody, .run = run, .help = "Lists features."};

}  // namespace emulator
