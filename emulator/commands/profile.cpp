#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  if (whole_number(context.request.target()) > 0) not_built("profiling");
  context.reply.append_int32("was", 0).append_int32("slowms", 100).append_double("sampleRate", 1.0);
  return Replied{};
}

// Reading the level is for whoever may read what profiling would write.
bool authorized(const Context& context, const Request& request) {
  const bool reads = whole_number(request.target()) < 0;
  return may(context, Resource::database(request.db), {Action::EnableProfiler}) ||
         (reads && may(context, Resource::of(request.db, "system.profile"), {Action::Find}));
}

}  // namespace

extern constinit const CommandSpec profile_command{
    .name = "profile", .authorized = authorized, .run = run, .help = "Reads the profiling level, which is always 0."};

}  // namespace emulator
