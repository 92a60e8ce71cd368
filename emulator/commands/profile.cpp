#include "emulator/arguments.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (whole_number(context.request.target()) > 0) not_built("profiling");
  context.reply.append_int32("was", 0).append_int32("slowms", 100).append_double("sampleRate", 1.0);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec profile_command{
    .name = "profile", .run = run, .help = "Reads the profiling level, which is always 0."};

}  // namespace emulator
