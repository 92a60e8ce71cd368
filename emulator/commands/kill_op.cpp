#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::array fields{std::string_view("op")};
constexpr int no_such_key = 4;

Outcome run(Context& context) {
  const wire::ValueView op = context.request["op"];
  if (!op) throw CommandError(no_such_key, "Missing expected field \"op\"");
  if (!op.is_number())
    throw CommandError(code::type_mismatch, "Expected field \"op\" to have numeric type, but found " +
                                                std::string(wire::type_name(op.type())));
  // Nobody is told whether there was such an operation.
  context.deployment.touch(TouchedOperation{.operation = whole_number(op), .code = code::interrupted});
  context.reply.append_string("info", "attempting to kill op");
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec kill_op_command{.name = "killOp",
                                                   .admin_only = AdminOnly::Yes,
                                                   .fields = fields,
                                                   .authorized = on_cluster<Action::Killop>,
                                                   .run = run,
                                                   .help = "Ends an operation that waits, with 11601."};

}  // namespace emulator
