#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/server_parameters.h"

namespace emulator {
namespace {

// "6.0" of version "6.0.5".
std::string feature_version(std::string_view version) { return std::string(version.substr(0, version.rfind('.'))); }

class Reader {
 public:
  Reader(Context& context, bool details) : context_(context), details_(details) {}

  bool read(std::string_view name) {
    if (name == "featureCompatibilityVersion") {
      append_feature_version();
      return true;
    }
    if (const ServerParameter* parameter = find_server_parameter(name)) {
      append(name, server_parameter_value(context_.deployment, *parameter), parameter->settable);
      return true;
    }
    // One that --set gave and no row knows.
    const auto set = context_.deployment.parameters.find(name);
    if (set == context_.deployment.parameters.end()) return false;
    append(name, set->second, SettableAt::StartupOnly);
    return true;
  }

 private:
  void append_feature_version() {
    context_.reply.begin_document("featureCompatibilityVersion");
    context_.reply.append_string("version", feature_version(context_.profile().version)).end();
  }

  void append(std::string_view name, const wire::Value& value, SettableAt settable) {
    if (!details_) {
      context_.reply.append(name, value);
      return;
    }
    context_.reply.begin_document(name).append("value", value);
    context_.reply.append_bool("settableAtRuntime", settable != SettableAt::StartupOnly);
    context_.reply.append_bool("settableAtStartup", settable != SettableAt::Runtime).end();
  }

  Context& context_;
  const bool details_;
};

Outcome run(Context& context) {
  const wire::ValueView target = context.request.target();
  const bool is_document = target.is(wire::Type::Document);
  const bool all = (target.is(wire::Type::String) && target.as_string() == "*") ||
                   (is_document && is_truthy(target.as_document()["allParameters"]));
  const bool knows_details = context.profile().wording > Wording::V5_0;
  Reader reader(context, knows_details && is_document && is_truthy(target.as_document()["showDetails"]));
  bool found = false;
  if (all) {
    for (const ServerParameter& parameter : all_server_parameters()) found = reader.read(parameter.name) || found;
    found = reader.read("featureCompatibilityVersion") || found;
  } else {
    bool first = true;
    for (const wire::Element& element : context.request.body)
      if (!std::exchange(first, false) && !is_generic_field(element.name, context.profile()))
        found = reader.read(element.name) || found;
  }
  // A failure without a code, as the server's own.
  if (!found) throw CommandError(0, "no option found to get");
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec get_parameter_command{.name = "getParameter",
                                                         .admin_only = AdminOnly::Yes,
                                                         .authorized = on_cluster<Action::GetParameter>,
                                                         .run = run,
                                                         .help = "Reads server parameters."};

}  // namespace emulator
