#include <array>

#include "emulator/authorization.h"
#include "emulator/cluster_parameters.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

// The command's own field is all it has.
constexpr std::array fields{std::string_view("getClusterParameter")};

// A name, "*", or an array of names.
std::vector<std::string_view> asked_names(wire::ValueView asked) {
  if (asked.is(wire::Type::String))
    return asked.as_string() == "*" ? cluster_parameter_names() : std::vector{asked.as_string()};
  if (!asked.is(wire::Type::Array))
    throw CommandError(code::type_mismatch, "BSON field 'getClusterParameter.getClusterParameter' is the wrong type '" +
                                                std::string(wire::type_name(asked.type())) +
                                                "', expected types '[string']");
  std::vector<std::string_view> names;
  for (const wire::Element& name : asked.as_document())
    if (name.value.is(wire::Type::String)) names.push_back(name.value.as_string());
  if (names.empty())
    throw CommandError(code::bad_value,
                       "Must supply at least one cluster server parameter name to getClusterParameter");
  return names;
}

Outcome run(Context& context) {
  if (context.deployment.spec.topology == Topology::Standalone)
    throw CommandError(code::illegal_operation, "getClusterParameter cannot be run on standalones");
  std::vector<wire::Document> found;
  for (const std::string_view name : asked_names(context.request.target()))
    found.push_back(describe_cluster_parameter(context.deployment, name));
  wire::DocumentBuilder& out = context.reply.begin_array("clusterParameters");
  for (const wire::Document& parameter : found) out.append_document(out.item_name(), parameter);
  out.end();
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_cluster_parameter_command{
    .name = "getClusterParameter",
    .admin_only = AdminOnly::Yes,
    .wire_version_min = 17,
    .fields = fields,
    .authorized = on_cluster<Action::GetClusterParameter>,
    .run = run,
    .help = "Says when pre-images expire (changeStreamOptions)."};

}  // namespace emulator
