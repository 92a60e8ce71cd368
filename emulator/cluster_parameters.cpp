#include "emulator/cluster_parameters.h"

#include "emulator/arguments.h"
#include "emulator/command_error.h"
#include "emulator/error_codes.h"

namespace emulator {
namespace {

constexpr std::string_view change_stream_options = "changeStreamOptions";
constexpr std::string_view off = "off";
constexpr int no_such_key = 4;

[[noreturn]] void unparsable(const std::string& why) {
  throw CommandError(code::bad_value, "Failed parsing new changeStreamOptions value" + why);
}

// "off" or a positive int64.
wire::Value read_expiry(wire::ValueView value) {
  if (value.is(wire::Type::String)) {
    if (value.as_string() != off)
      throw CommandError(code::bad_value, "Non-numeric value of 'expireAfterSeconds' should be 'off'");
    return wire::Value::string(off);
  }
  if (!value.is_number())
    unparsable("BSON field 'changeStreamOptions.preAndPostImages.expireAfterSeconds' is the wrong type '" +
               std::string(wire::type_name(value.type())) + "', expected types '[string, long']");
  const std::int64_t seconds = whole_number(value);
  if (seconds <= 0) throw CommandError(code::bad_value, "Numeric value of 'expireAfterSeconds' should be positive");
  return wire::Value::int64(seconds);
}

wire::Value read_change_stream_options(wire::DocumentView options) {
  const wire::ValueView images = options["preAndPostImages"];
  if (!images) unparsable("BSON field 'changeStreamOptions.preAndPostImages' is missing but a required field");
  if (!images.is(wire::Type::Document)) unparsable("invalid parameter: expected an object (preAndPostImages)");
  const wire::ValueView expiry = images.as_document()["expireAfterSeconds"];
  if (!expiry) unparsable("BSON field 'changeStreamOptions.expireAfterSeconds' is missing but a required field");
  return read_expiry(expiry);
}

wire::Document description(wire::Timestamp since, wire::ValueView expiry) {
  wire::DocumentBuilder out;
  out.append_string("_id", change_stream_options).append_timestamp("clusterParameterTime", since);
  out.begin_document("preAndPostImages").append("expireAfterSeconds", expiry).end();
  return out.finish();
}

}  // namespace

void set_cluster_parameter(Deployment& deployment, std::string_view name, wire::ValueView value) {
  if (name != change_stream_options)
    throw CommandError(code::illegal_operation, "Unknown Cluster Parameter " + std::string(name));
  if (!value.is(wire::Type::Document))
    throw CommandError(code::illegal_operation, "Cluster parameter value must be an object");
  const wire::Value expiry = read_change_stream_options(value.as_document());
  deployment.cluster_parameters.insert_or_assign(std::string(name), description(deployment.cluster_time(), expiry));
}

wire::Document describe_cluster_parameter(const Deployment& deployment, std::string_view name) {
  if (name != change_stream_options) throw CommandError(no_such_key, "Unknown server parameter: " + std::string(name));
  const auto at = deployment.cluster_parameters.find(name);
  return at == deployment.cluster_parameters.end() ? description({}, wire::Value::string(off)) : at->second;
}

std::vector<std::string_view> cluster_parameter_names() { return {change_stream_options}; }

}  // namespace emulator
