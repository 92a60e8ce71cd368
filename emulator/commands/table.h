// A command is a file of this folder: it defines its row, and no other file is edited to add it.
// table-type: CommandSpec
// table-suffix: command
// table-accessor: all_commands
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "emulator/context.h"
#include "emulator/query_plan.h"
#include "emulator/wait.h"

namespace emulator {

// On a replica set, where a command may run.
enum class RunsOn { Primary, Anywhere, SecondaryIfAllowed };
// Ends: it commits, aborts or prepares one.
enum class InTransaction { Refused, Allowed, Ends };
// Before authentication only what mongod allows then.
enum class NeedsAuth { Yes, No };
// Monitoring is marked in the journal and passed over by filters that name no command.
enum class Monitoring { No, Yes };
// From 5.1 on only the handshake may come by OP_QUERY.
enum class ByOpQuery { Refused, Allowed };
enum class AdminOnly { No, Yes };
enum class WriteConcern { Unsupported, Supported };
// Whether fail points and scripted faults may take it (the in-band control must not be).
enum class Faultable { Yes, No };
// Whether a hello may bring it along as speculativeAuthenticate.
enum class InHello { No, Yes };
// Whether somebody who has logged in may have `request` run (authorization.h has the usual rules).
using Authorized = bool (*)(const Context&, const Request& request);
// Whether API version 1 with apiStrict has it.
enum class ApiVersion1 { No, Yes };
// The read concern levels that a command takes outside of transactions (the server's supportsReadConcern).
enum class ReadConcernLevels { LocalOnly, AllButSnapshot, All };
// The first build (by wire version) that knows a field.
struct FieldVersion {
  std::string_view name;
  int wire_version_min = 0;
};
struct CommandSpec;
// How a field that the command does not know is refused.
using UnknownField = CommandError (*)(const CommandSpec& command, std::string_view field);
// As a generated parser does it: 40415, "BSON field 'insert.x' is an unknown field."
CommandError unknown_field(const CommandSpec& command, std::string_view field);

struct CommandSpec {
  std::string_view name;  // MongoDB's spelling
  std::array<std::string_view, 3> aliases{};
  RunsOn runs_on = RunsOn::Anywhere;
  InTransaction in_transaction = InTransaction::Refused;
  // The first build (by wire version) that lets it.
  int in_transaction_wire_version_min = 0;
  NeedsAuth needs_auth = NeedsAuth::Yes;
  ByOpQuery by_op_query = ByOpQuery::Refused;
  Monitoring monitoring = Monitoring::No;
  AdminOnly admin_only = AdminOnly::No;
  WriteConcern write_concern = WriteConcern::Unsupported;
  ReadConcernLevels read_concern = ReadConcernLevels::LocalOnly;
  // Throws 72 for what such a request does not run with all the same; nullptr: nothing.
  void (*refuse_read_concern)(const Context&) = nullptr;
  Faultable faultable = Faultable::Yes;
  InHello in_hello = InHello::No;
  ApiVersion1 api_version_1 = ApiVersion1::No;
  // The first profile (by wire version) that has it, and the last.
  int wire_version_min = 0;
  int wire_version_max = 1000;
  // The fields it knows beside the generic ones; empty: it checks them itself or takes any. Unknown ones: 40415.
  std::span<const std::string_view> fields{};
  // Up to 4.4: those of them that not every build knows, and how others are refused; nullptr: it passes over them, as commands
  // parsed by hand do.
  std::span<const FieldVersion> field_versions{};
  UnknownField unknown_until_4_4 = nullptr;
  // Those of them that API version 1 with apiStrict refuses, and what its messages call the command where it is not its name.
  std::span<const std::string_view> unstable_fields{};
  std::string_view idl_name{};
  // The `op` of its entries in system.profile; empty: the profiler passes over it.
  std::string_view profiled_as{};
  // The field that journals and messages must not show; "*": those of the commands that it carries.
  std::string_view secret{};
  // With authentication on; nullptr: whoever has the role root.
  Authorized authorized = nullptr;
  Outcome (*run)(Context&) = nullptr;
  // Appends the plan of such a command; nullptr: it cannot be explained.
  void (*explain)(const Context& context, wire::DocumentBuilder& out, wire::DocumentView command,
                  Verbosity verbosity) = nullptr;
  std::string_view help;  // one sentence
};

std::span<const CommandSpec* const> all_commands();

}  // namespace emulator
