// configureFailPoint: MongoDB's own fail points, as its drivers' tests set them, through the one FaultPlan (facts §7).
#include <fmt/format.h>

#include <algorithm>

#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/faults/table.h"
#include "emulator/max_time_fail_point.h"

namespace emulator {
namespace {

constexpr int fail_point_set_failed = 266;
constexpr std::string_view fail_command = "failCommand";
constexpr std::string_view fail_get_more = "failGetMoreAfterCursorCheckout";
constexpr std::string_view fail_write = "onPrimaryTransactionalWrite";
constexpr std::string_view max_time_always = "maxTimeAlwaysTimeOut";
constexpr std::string_view not_built_points[] = {"failCollectionUpdates", "rsStopGetMoreCmd", "waitInHello",
                                                 "waitWithPinnedCursorDuringGetMoreBatch"};

std::int64_t whole(wire::ValueView value, std::int64_t absent) {
  if (value.is(wire::Type::Int32)) return value.as_int32();
  if (value.is(wire::Type::Int64)) return value.as_int64();
  if (value.is(wire::Type::Double)) return static_cast<std::int64_t>(value.as_double());
  return absent;
}
bool is_true(wire::ValueView value) { return value.is(wire::Type::Bool) && value.as_bool(); }

struct Mode {
  bool on = true;
  std::uint64_t skip = 0;
  std::uint64_t times = fault_always;
  double chance = 1;
};

Mode read_counted_mode(wire::DocumentView document) {
  const auto [name, value] = document.first();
  Mode mode;
  if (name == "times") {
    const std::int64_t times = whole(value, -1);
    if (times < 0) throw CommandError(code::bad_value, "'times' option to 'mode' must be positive");
    mode.times = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 1));  // 0 fires once, as measured
  } else if (name == "skip") {
    const std::int64_t skip = whole(value, -1);
    if (skip < 0) throw CommandError(code::bad_value, "'skip' option to 'mode' must be positive");
    mode.skip = static_cast<std::uint64_t>(skip);
  } else if (name == "activationProbability") {
    if (!value.is_number())
      throw CommandError(code::type_mismatch,
                         "the 'activationProbability' option to 'mode' must be a double between 0 and 1");
    mode.chance = value.is(wire::Type::Double) ? value.as_double() : static_cast<double>(whole(value, 0));
    if (!(mode.chance >= 0 && mode.chance <= 1))
      throw CommandError(code::bad_value, "activationProbability must be between 0.0 and 1.0; found " +
                                              fmt::format("{:g}", mode.chance));
  } else {
    throw CommandError(
        code::bad_value,
        "'mode' must be one of 'off', 'alwaysOn', '{times:n}', '{skip:n}' or '{activationProbability:p}'");
  }
  return mode;
}

Mode read_mode(wire::ValueView value) {
  if (value.missing())
    throw CommandError(code::illegal_operation, "When setting a failpoint, you must supply a 'mode'");
  if (value.is(wire::Type::Document)) return read_counted_mode(value.as_document());
  if (!value.is(wire::Type::String)) throw CommandError(code::type_mismatch, "'mode' must be a string or JSON object");
  Mode mode;
  mode.on = value.as_string() == "alwaysOn";
  if (!mode.on && value.as_string() != "off")
    throw CommandError(code::bad_value, "unknown mode: " + std::string(value.as_string()));
  return mode;
}

bool same_name(std::string_view left, std::string_view right) {
  return std::ranges::equal(
      left, right, {}, [](char c) { return std::tolower(static_cast<unsigned char>(c)); },
      [](char c) { return std::tolower(static_cast<unsigned char>(c)); });
}

std::string namespace_of(const Request& request) {
  const wire::ValueView own = request.target();
  const wire::ValueView collection = own.is(wire::Type::String) ? own : request["collection"];
  return std::string(request.db) + (collection.is(wire::Type::String) ? "." + std::string(collection.as_string()) : "");
}

// A handshake is counted for the name that it brings.
std::string_view application_of(const Request& request, const Connection& connection) {
  const wire::ValueView client = request["client"];
  if (!connection.application.empty() || !client.is(wire::Type::Document)) return connection.application;
  const wire::ValueView name = client.as_document().find_path("application.name");
  return name.is(wire::Type::String) ? name.as_string() : std::string_view();
}

// failCommand's filters: only commands that pass all of them are counted.
bool chooses(wire::DocumentView data, const Exchange& exchange, const Connection& connection) {
  if (const wire::ValueView names = data["failCommands"]; names.is(wire::Type::Array)) {
    const auto named = [&](const wire::Element& name) {
      return name.value.is(wire::Type::String) && same_name(name.value.as_string(), exchange.request.name);
    };
    if (std::ranges::none_of(names.as_document(), named)) return false;
  }
  if (const wire::ValueView app = data["appName"];
      app.is(wire::Type::String) && app.as_string() != application_of(exchange.request, connection))
    return false;
  if (const wire::ValueView ns = data["namespace"];
      ns.is(wire::Type::String) && ns.as_string() != namespace_of(exchange.request))
    return false;
  const wire::ValueView thread = data["threadName"];
  return !thread.is(wire::Type::String) || thread.as_string() == "conn" + std::to_string(connection.number);
}

std::unique_ptr<Fault> make_error(std::int64_t error_code, std::string_view message, wire::DocumentView data,
                                  CursorFate cursor) {
  wire::DocumentBuilder argument;
  argument.append_int64("code", error_code).append_string("message", message);
  if (const wire::ValueView labels = data["errorLabels"]; labels.is(wire::Type::Array))
    argument.append("labels", labels);
  if (const wire::ValueView extra = data["errorExtraInfo"]; extra.is(wire::Type::Document))
    argument.append("extra", extra);
  if (cursor == CursorFate::Kept) argument.append_string("cursor", "keep");
  return find_fault("error")->make(wire::Value::document(argument.view()), std::nullopt);
}

// What stands in the fail point's writeConcernError goes into the reply's as it is, labels too.
std::unique_ptr<Fault> make_write_concern_error(wire::DocumentView data) {
  wire::DocumentBuilder argument;
  argument.append_document("error", data["writeConcernError"].as_document());
  if (const wire::ValueView labels = data["errorLabels"]; labels.is(wire::Type::Array))
    argument.append("errorLabels", labels);
  return find_fault("writeConcernError")->make(wire::Value::document(argument.view()), std::nullopt);
}

// What the server itself says of the code: one that needs extra info and has none becomes an error about that.
std::unique_ptr<Fault> make_command_error(std::int64_t error_code, wire::DocumentView data, const Profile& profile) {
  constexpr int missing_extra_info = 40671;
  const int code = static_cast<int>(error_code);
  if (requires_extra_info(code, profile.errors) && !data["errorExtraInfo"].is(wire::Type::Document))
    return make_error(missing_extra_info,
                      "Missing required extra info for error code " + error_code_name(code, profile.errors), data,
                      CursorFate::Kept);
  const std::string_view how = profile.wording <= Wording::V5_0 ? "due to" : "via";
  return make_error(error_code, "Failing command " + std::string(how) + " 'failCommand' failpoint", data,
                    CursorFate::Kept);
}

void configure_fail_command(wire::DocumentView data, const Profile& profile, Injection& injection) {
  if (is_true(data["blockConnection"])) {
    const std::int64_t block_ms = whole(data["blockTimeMS"], -1);
    if (block_ms < 0) {
      // mongod takes it, and then fails the commands that it is for.
      const std::string_view sentence = data.has("blockTimeMS")
                                            ? "'blockTimeMS' must be non-negative"
                                            : "must specify 'blockTimeMS' when 'blockConnection' is true";
      injection.faults.push_back(make_error(code::invalid_options, sentence, {}, CursorFate::Kept));
    } else {
      const wire::Value duration = wire::Value::string(std::to_string(block_ms) + "ms");
      injection.faults.push_back(find_fault("delay")->make(duration, std::nullopt));
    }
  }
  const std::int64_t error_code = whole(data["errorCode"], 0);
  const bool only_write_concern = data["writeConcernError"].is(wire::Type::Document);
  if (is_true(data["closeConnection"]))
    injection.faults.push_back(find_fault("close")->make({}, std::nullopt));
  else if (error_code != 0)
    injection.faults.push_back(make_command_error(error_code, data, profile));
  else if (only_write_concern)
    injection.faults.push_back(make_write_concern_error(data));
  injection.filter = [kept = wire::Document(data), only_write_concern](const Exchange& exchange,
                                                                       const Connection& connection) {
    const bool takes_write_concern =
        exchange.command != nullptr && exchange.command->write_concern == WriteConcern::Supported;
    return (takes_write_concern || !only_write_concern) && chooses(kept, exchange, connection);
  };
}

void configure_fail_get_more(wire::DocumentView data, Injection& injection) {
  const std::int64_t error_code = whole(data["errorCode"], 1);
  injection.faults.push_back(
      make_error(error_code, "Hit the 'failGetMoreAfterCursorCheckout' failpoint", data, CursorFate::Gone));
  injection.filter = [kept = wire::Document(data)](const Exchange& exchange, const Connection& connection) {
    // Only what reads a cursor names one by a 64-bit number.
    return exchange.request.target().is(wire::Type::Int64) && exchange.request["collection"].is(wire::Type::String) &&
           chooses(kept, exchange, connection);
  };
}

void configure_fail_write(wire::DocumentView data, Injection& injection) {
  const std::int64_t error_code = whole(data["failBeforeCommitExceptionCode"], 0);
  const wire::ValueView closes = data["closeConnection"];
  if (!closes.is(wire::Type::Bool) || closes.as_bool())
    injection.faults.push_back(find_fault("close")->make({}, error_code != 0 ? Moment::Arrival : Moment::Reply));
  else if (error_code != 0)
    injection.faults.push_back(
        make_error(error_code, "Failing write via 'onPrimaryTransactionalWrite' failpoint", data, CursorFate::Kept));
  injection.filter = [](const Exchange& exchange, const Connection&) {
    const bool writes = exchange.command != nullptr && exchange.command->write_concern == WriteConcern::Supported;
    return writes && exchange.request.txn_number().has_value();
  };
}

Outcome run(Context& context) {
  const wire::ValueView target = context.request.target();
  if (!target.is(wire::Type::String)) throw CommandError(code::type_mismatch, "the name of a fail point is a string");
  const std::string name(target.as_string());
  const Mode mode = read_mode(context.request["mode"]);
  const wire::ValueView given = context.request["data"];
  if (!given.missing() && !given.is(wire::Type::Document))
    throw CommandError(code::type_mismatch, "the 'data' option must be a JSON object");
  const wire::DocumentView data = given.missing() ? wire::DocumentView() : given.as_document();
  Injection injection;
  injection.name = name;
  injection.skip = mode.skip;
  injection.times = mode.times;
  injection.chance = mode.chance;
  try {
    if (name == fail_command)
      configure_fail_command(data, context.profile(), injection);
    else if (name == fail_get_more)
      configure_fail_get_more(data, injection);
    else if (name == fail_write)
      configure_fail_write(data, injection);
    else if (name == max_time_always)
      configure_max_time(context.deployment, injection);
    else if (std::ranges::find(not_built_points, name) != std::end(not_built_points))
      not_built("fail point " + name);
    else
      throw CommandError(fail_point_set_failed, name + " not found");
  } catch (const FaultArgumentError& error) {
    throw CommandError(code::bad_value, error.what());
  }
  FaultPlan& faults = context.deployment.faults;
  context.reply.append_int32("count", static_cast<std::int32_t>(faults.taken_by(name)));
  faults.clear_named(context.deployment, name);
  if (mode.on) faults.inject(std::move(injection), context.now);
  return Replied{};
}

}  // namespace

extern constinit const CommandSpec configure_fail_point_command{
    .name = "configureFailPoint",
    .admin_only = AdminOnly::Yes,
    .faultable = Faultable::No,
    .run = run,
    .help =
        "Sets one of MongoDB's fail points: failCommand, failGetMoreAfterCursorCheckout, onPrimaryTransactionalWrite, "
        "maxTimeAlwaysTimeOut."};

}  // namespace emulator
