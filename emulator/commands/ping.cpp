#include "emulator/commands/table.h"

namespace emulator {
namespace {

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec ping_command{.name = "ping",
                                                .in_transaction = InTransaction::Allowed,
                                                .needs_auth = NeedsAuth::No,
                                                .api_version_1 = ApiVersion1::Yes,
                                                .run = run,
                                                .help = "Answers ok."};

}  // namespace emulator
