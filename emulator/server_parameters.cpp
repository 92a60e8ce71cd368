#include "emulator/server_parameters.h"

#include <algorithm>
#include <array>
#include <limits>

#include "emulator/arguments.h"

namespace emulator {
namespace {

using enum SettableAt;

// Those that clients ask for or set; values as mongod 6.0 begins with them under enableTestCommands.
constexpr std::array rows{
    ServerParameter{"authSchemaVersion", std::int32_t{5}},
    ServerParameter{"authenticationMechanisms", std::string_view("SCRAM-SHA-256"), StartupOnly},
    ServerParameter{"clientCursorMonitorFrequencySecs", std::int32_t{4}},
    ServerParameter{"cursorTimeoutMillis", std::int32_t{600'000}},
    ServerParameter{"enableTestCommands", true, StartupOnly},
    ServerParameter{"expiredChangeStreamPreImageRemovalJobSleepSecs", std::int32_t{10}, StartupOnly},
    ServerParameter{"internalQueryFacetBufferSizeBytes", std::int32_t{104'857'600}},
    ServerParameter{"localLogicalSessionTimeoutMinutes", std::int32_t{30}, StartupOnly},
    ServerParameter{"logLevel", std::int32_t{0}},
    ServerParameter{"maxTransactionLockRequestTimeoutMillis", std::int32_t{5}},
    ServerParameter{"minOplogTruncationPoints", std::int32_t{10}, StartupOnly},
    ServerParameter{"minSnapshotHistoryWindowInSeconds", std::int32_t{300}},
    ServerParameter{"notablescan", false},
    ServerParameter{"periodicNoopIntervalSecs", std::int32_t{10}, StartupOnly},
    ServerParameter{"quiet", false},
    ServerParameter{"requireApiVersion", false},
    ServerParameter{"slowms", std::int32_t{100}},
    ServerParameter{"traceExceptions", false},
    ServerParameter{"transactionLifetimeLimitSeconds", std::int32_t{60}},
    ServerParameter{"ttlMonitorEnabled", true},
    ServerParameter{"ttlMonitorSleepSecs", std::int32_t{60}},
    ServerParameter{"writePeriodicNoops", true},
};

struct ToValue {
  wire::Value operator()(bool value) const { return wire::Value::boolean(value); }
  wire::Value operator()(std::int32_t value) const { return wire::Value::int32(value); }
  wire::Value operator()(std::string_view value) const { return wire::Value::string(value); }
};

}  // namespace

std::span<const ServerParameter> all_server_parameters() { return rows; }

const ServerParameter* find_server_parameter(std::string_view name) {
  const auto at = std::ranges::find(rows, name, &ServerParameter::name);
  return at == rows.end() ? nullptr : &*at;
}

wire::Value server_parameter_value(const Deployment& deployment, const ServerParameter& parameter) {
  const auto set = deployment.parameters.find(parameter.name);
  return set != deployment.parameters.end() ? set->second : std::visit(ToValue{}, parameter.initial);
}

std::int64_t server_parameter_number(const Deployment& deployment, std::string_view name) {
  const ServerParameter& parameter = *find_server_parameter(name);
  const wire::Value value = server_parameter_value(deployment, parameter);
  if (value.view().is_number())
    return std::clamp<std::int64_t>(whole_number(value.view()), std::numeric_limits<std::int32_t>::min(),
                                    std::numeric_limits<std::int32_t>::max());
  const auto* initial = std::get_if<std::int32_t>(&parameter.initial);
  return initial == nullptr ? 0 : *initial;
}

}  // namespace emulator
