// testVersion2: a server started for tests has it, to show what apiStrict does with a command outside of API version 1.
#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context& context) {
  const Request::Generic& given = context.request.generic;
  for (const auto& [name, value] :
       {std::pair("apiVersion", given.api_version), std::pair("apiStrict", given.api_strict),
        std::pair("apiDeprecationErrors", given.api_deprecation_errors)})
    if (value) context.reply.append(name, value);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec test_version2_command{.name = "testVersion2",
                                                         .needs_auth = NeedsAuth::No,
                                                         .wire_version_min = 13,
                                                         .authorized = anybody,
                                                         .run = run,
                                                         .help = "Answers with the API parameters that it got."};

}  // namespace emulator
