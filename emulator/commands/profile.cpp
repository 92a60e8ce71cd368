#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/number.h"
#include "emulator/reply.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("slowms"), std::string_view("sampleRate"), std::string_view("filter")};

Outcome run(Context& context) {
  const Arguments arguments(context.request.body, "profile");
  const wire::ValueView given = context.request.target();
  if (given.is_nullish()) throw CommandError(40414, "BSON field 'profile.profile' is missing but a required field");
  if (!given.is_number())
    throw CommandError(14, "BSON field 'profile.profile' is the wrong type '" +
                               std::string(wire::type_name(given.type())) +
                               "', expected types '[long, int, decimal, double']");
  const std::int64_t level = whole_number(given);
  if (arguments["filter"]) not_built("the profiler's filter");
  if (arguments["sampleRate"].is_number() && to_double(arguments["sampleRate"]) != 1.0)
    not_built("the profiler's sampleRate");
  Profiling& profiling = context.deployment.profiling;
  const std::string_view db = context.request.db;
  context.reply.append_int32("was", profiling.level(db)).append_int32("slowms", profiling.slow_ms);
  context.reply.append_double("sampleRate", 1.0);
  if (const std::optional<std::int64_t> slow = arguments.whole("slowms"))
    profiling.slow_ms = static_cast<std::int32_t>(*slow);
  // Any other number only asks.
  if (level < 0 || level > 2) return Replied{};
  if (level > 0 && (db == "local" || db == "config")) not_built("profiling of " + std::string(db));
  if (level > 0) create_profile_collection(context.deployment, db);
  profiling.set_level(db, static_cast<std::int32_t>(level));
  return Replied{};
}

// Reading the level is for whoever may read what profiling would write.
bool authorized(const Context& context, const Request& request) {
  const bool reads = whole_number(request.target()) < 0;
  return may(context, Resource::database(request.db), {Action::EnableProfiler}) ||
         (reads && may(context, Resource::of(request.db, "system.profile"), {Action::Find}));
}

}  // namespace

extern constinit const CommandSpec profile_command{.name = "profile",
                                                   .fields = fields,
                                                   .authorized = authorized,
                                                   .run = run,
                                                   .help = "Reads and sets the profiling level of a database."};

}  // namespace emulator
