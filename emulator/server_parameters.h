// Server parameters: their defaults, and which may be set while the server runs. Knows no command.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "emulator/deployment.h"

namespace emulator {

enum class SettableAt { Runtime, StartupOnly, StartupAndRuntime };

struct ServerParameter {
  std::string_view name;
  std::variant<bool, std::int32_t, std::string_view> initial;
  SettableAt settable = SettableAt::StartupAndRuntime;
};

// In the order of their names.
std::span<const ServerParameter> all_server_parameters();
const ServerParameter* find_server_parameter(std::string_view name);
// What it is now: as set, else as it begins.
wire::Value server_parameter_value(const Deployment& deployment, const ServerParameter& parameter);

// A numeric parameter's value; its initial one if what was set is no number.
std::int64_t server_parameter_number(const Deployment& deployment, std::string_view name);

}  // namespace emulator
