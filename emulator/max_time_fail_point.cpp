#include "emulator/max_time_fail_point.h"

#include "emulator/arguments.h"
#include "emulator/error_codes.h"
#include "emulator/exchange.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

bool limited(wire::ValueView max_time_ms) { return max_time_ms.is_number() && whole_number(max_time_ms) > 0; }

// What is left of a cursor's limit holds for its getMores; those that await data have none but the time they wait.
bool reads_limited_cursor(const Deployment& deployment, const Exchange& exchange) {
  const wire::ValueView id = exchange.request.target();
  if (!id.is(wire::Type::Int64) || exchange.request["collection"].missing()) return false;
  const auto at = deployment.cursors.all().find(id.as_int64());
  return at != deployment.cursors.all().end() && !at->second->await_data() && limited(at->second->command["maxTimeMS"]);
}

}  // namespace

void configure_max_time(const Deployment& deployment, Injection& injection) {
  wire::DocumentBuilder argument;
  argument.append_int32("code", code::max_time_ms_expired).append_string("message", "operation exceeded time limit");
  injection.faults.push_back(find_fault("error")->make(wire::Value::document(argument.view()), std::nullopt));
  injection.filter = [&deployment](const Exchange& exchange, const Connection&) {
    const bool reads_cursor = exchange.request["collection"].is(wire::Type::String);
    return reads_cursor ? reads_limited_cursor(deployment, exchange) : limited(exchange.request.generic.max_time_ms);
  };
}

}  // namespace emulator
