#include <array>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/write_fail_points.h"

namespace emulator {
namespace {

constexpr int fail_point_set_failed = 266;

// Both are required, and numbers.
std::int64_t number(const Request& request, std::string_view field) {
  const wire::ValueView value = request[field];
  const std::string full = "BSON field 'waitForFailPoint." + std::string(field) + "' is ";
  if (value.missing()) throw CommandError(code::missing_field, full + "missing but a required field");
  if (!value.is_number())
    throw CommandError(code::type_mismatch, full + "the wrong type '" + std::string(wire::type_name(value.type())) +
                                                "', expected types '[long, int, decimal, double']");
  return whole_number(value);
}

Outcome go_on(Context& context, WaitState& state, WakeReason reason);

Outcome look(Context& context, std::int64_t times, RealTime deadline) {
  const std::string name(context.request.target().as_string());
  if (static_cast<std::int64_t>(times_entered(context.deployment, name)) >= times) return Replied{};
  Wait wait;
  wait.deadline = deadline;
  wait.what = WaitForFailPoint{};
  wait.resume = go_on;
  wait.state.cursor = deadline.count();
  wait.state.number = times;
  return wait;
}

Outcome go_on(Context& context, WaitState& state, WakeReason reason) {
  if (reason == WakeReason::Killed) throw CommandError(state.kill_code, "operation was interrupted");
  if (reason == WakeReason::Expired) throw CommandError(code::max_time_ms_expired, "operation exceeded time limit");
  return look(context, state.number, RealTime(state.cursor));
}

Outcome run(Context& context) {
  const Request& request = context.request;
  if (!request.target().is(wire::Type::String))
    throw CommandError(code::type_mismatch, "BSON field 'waitForFailPoint.waitForFailPoint' is the wrong type '" +
                                                std::string(wire::type_name(request.target().type())) +
                                                "', expected type 'string'");
  const std::int64_t times = number(request, "timesEntered");
  const std::int64_t max_time_ms = number(request, "maxTimeMS");
  if (!is_fail_point(request.target().as_string(), context.profile()))
    throw CommandError(fail_point_set_failed, std::string(request.target().as_string()) + " not found");
  const RealTime now = context.deployment.clock.waited(context.now);
  const RealTime deadline = max_time_ms > 0 ? now + std::chrono::milliseconds(max_time_ms) : RealTime::max();
  return look(context, times, deadline);
}

}  // namespace

extern constinit const CommandSpec wait_for_fail_point_command{
    .name = "waitForFailPoint",
    .needs_auth = NeedsAuth::No,
    .admin_only = AdminOnly::Yes,
    .authorized = anybody,
    .run = run,
    .help = "Waits until a fail point has been entered so often."};

}  // namespace emulator
