#include <array>

#include "emulator/authorization.h"
#include "emulator/commands/table.h"

namespace emulator {
namespace {

// It has no field of its own beside its name.
constexpr std::array fields{std::string_view("ping")};

Outcome run(Context&) { return Replied{}; }

}  // namespace

extern constinit const CommandSpec ping_command{.name = "ping",
                                                .in_transaction = InTransaction::Allowed,
                                                .needs_auth = NeedsAuth::No,
                                                .api_version_1 = ApiVersion1::Yes,
                                                .fields = fields,
                                                .authorized = anybody,
                                                .run = run,
                                                .help = "Answers ok."};

}  // namespace emulator
