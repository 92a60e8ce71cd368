// configureFailPoint: MongoDB's own fail points, as its drivers' tests set them, through the one FaultPlan (facts §7).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "emulator/arguments.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/faults/table.h"
#include "emulator/faults/thrown.h"
#include "emulator/max_time_fail_point.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "emulator/write_fail_points.h"

namespace emulator {
namespace {

constexpr int fail_point_set_failed = 266;

// What failCommand's `data` may say that not every build reads; those before pass over it.
constexpr std::array fail_command_options{FieldVersion{"blockConnection", 9}, FieldVersion{"blockTimeMS", 9},
                                          FieldVersion{"appName", 9}, FieldVersion{"errorLabels", 9},
                                          FieldVersion{"errorExtraInfo", 9}};

// Some ninety years.
constexpr std::int64_t delay_ms_max = 3'000'000'000'000;

std::int64_t whole(wire::ValueView value, std::int64_t absent) {
  return value.is_number() ? whole_number(value) : absent;
}
bool is_true(wire::ValueView value) { return value.is(wire::Type::Bool) && value.as_bool(); }

std::uint64_t counted(wire::ValueView value, std::string_view option) {
  const std::string quoted(option);
  if (!value.is_number())
    throw CommandError(code::type_mismatch, "Expected field \"" + quoted + "\" to have numeric type, but found " +
                                                std::string(wire::type_name(value.type())));
  const std::optional<std::int64_t> count = exact_int64(value);
  if (!count)
    throw CommandError(code::bad_value, "Expected field \"" + quoted +
                                            "\" to have a value exactly representable as a 64-bit integer, but found " +
                                            quoted + ": " + bson_text(value));
  if (*count < 0) throw CommandError(code::bad_value, "'" + quoted + "' option to 'mode' must be positive");
  if (*count > std::numeric_limits<std::int32_t>::max())
    throw CommandError(code::bad_value, "'" + quoted + "' option to 'mode' is too large");
  return static_cast<std::uint64_t>(*count);
}

std::string_view known_modes(Wording wording) {
  return wording <= Wording::V4_2
             ? "'mode' must be one of 'off', 'alwaysOn', 'times', and 'activationProbability'"
             : "'mode' must be one of 'off', 'alwaysOn', '{times:n}', '{skip:n}' or '{activationProbability:p}'";
}

FailPointMode read_counted_mode(wire::DocumentView document, Wording wording) {
  // Of several fields one counts, in this order.
  std::string_view name;
  for (const std::string_view known : {"activationProbability", "skip", "times"})
    if (document.has(known)) name = known;
  const wire::ValueView value = document[name];
  FailPointMode mode;
  mode.times = fault_always;
  if (name == "times") {
    mode.times = std::max<std::uint64_t>(counted(value, name), 1);  // 0 fires once, as measured
  } else if (name == "skip") {
    mode.skip = counted(value, name);
  } else if (name == "activationProbability") {
    if (!value.is_number())
      throw CommandError(code::type_mismatch,
                         "the 'activationProbability' option to 'mode' must be a double between 0 and 1");
    mode.chance = value.is(wire::Type::Double) ? value.as_double() : static_cast<double>(whole(value, 0));
    if (!(mode.chance >= 0 && mode.chance <= 1))
      throw CommandError(code::bad_value, "activationProbability must be between 0.0 and 1.0; found " +
                                              fmt::format("{:g}", mode.chance));
  } else {
    throw CommandError(code::bad_value, std::string(known_modes(wording)));
  }
  return mode;
}

FailPointMode read_mode(wire::ValueView value, Wording wording) {
  if (value.missing())
    throw CommandError(code::illegal_operation, "When setting a failpoint, you must supply a 'mode'");
  if (value.is(wire::Type::Document)) return read_counted_mode(value.as_document(), wording);
  if (!value.is(wire::Type::String)) throw CommandError(code::type_mismatch, "'mode' must be a string or JSON object");
  FailPointMode mode;
  mode.times = fault_always;
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

// failCommand must say which commands; failGetMoreAfterCursorCheckout has its own.
enum class NeedsNames { No, Yes };

// failCommand's filters: only commands that pass all of them are counted.
bool chooses(wire::DocumentView data, NeedsNames needs_names, const Exchange& exchange, const Connection& connection) {
  if (needs_names == NeedsNames::Yes && !data["failCommands"].is(wire::Type::Array)) return false;
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

// Never through the error fault's own argument: mongod throws codes that a script may not, negative ones too.
std::unique_ptr<Fault> make_error(std::int64_t error_code, std::string_view message, wire::DocumentView data,
                                  CursorFate cursor) {
  CommandError error(static_cast<int>(error_code), std::string(message));
  const wire::ValueView extra = data["errorExtraInfo"];
  if (extra.is(wire::Type::Document)) error.extra = wire::Document(extra.as_document());
  if (const wire::ValueView labels = data["errorLabels"]; labels.is(wire::Type::Array)) {
    error.labels.emplace();
    for (const wire::Element& label : labels.as_document())
      if (label.value.is(wire::Type::String)) error.labels->emplace_back(label.value.as_string());
  }
  return make_thrown_error(std::move(error), cursor);
}

// What stands in the fail point's writeConcernError goes into the reply's as it is, labels too.
std::unique_ptr<Fault> make_write_concern_error(wire::DocumentView data) {
  std::optional<std::vector<std::string>> labels;
  if (const wire::ValueView given = data["errorLabels"]; given.is(wire::Type::Array)) {
    labels.emplace();
    for (const wire::Element& label : given.as_document())
      if (label.value.is(wire::Type::String)) labels->emplace_back(label.value.as_string());
  }
  return make_write_concern_failure(wire::Document(data["writeConcernError"].as_document()), std::move(labels));
}

// What the server itself says of the code: one that needs extra info and has none becomes an error about that.
std::unique_ptr<Fault> make_command_error(std::int64_t error_code, wire::DocumentView data, const Profile& profile) {
  constexpr int missing_extra_info = 40671;
  const int code = static_cast<int>(error_code);
  if (requires_extra_info(code, profile.errors) && !data["errorExtraInfo"].is(wire::Type::Document))
    return make_error(missing_extra_info,
                      "Missing required extra info for error code " + error_code_name(code, profile.errors), {},
                      CursorFate::Kept);
  const std::string_view how = profile.wording <= Wording::V5_0 ? "due to" : "via";
  return make_error(error_code, "Failing command " + std::string(how) + " 'failCommand' failpoint", data,
                    CursorFate::Kept);
}

struct Setting {
  std::string_view name;
  const FailPointMode& mode;
  wire::DocumentView data;
  Deployment& deployment;
};

wire::Document known_options(const Setting& setting) {
  wire::DocumentBuilder out;
  for (const wire::Element& option : setting.data) {
    const auto* const at = std::ranges::find(fail_command_options, option.name, &FieldVersion::name);
    if (at == fail_command_options.end() || setting.deployment.profile.max_wire_version >= at->wire_version_min)
      out.append(option.name, option.value);
  }
  return out.finish();
}

void configure_fail_command(const Setting& setting, Injection& injection) {
  const wire::Document known = known_options(setting);
  const wire::DocumentView data = known;
  if (is_true(data["blockConnection"])) {
    const std::int64_t block_ms = whole(data["blockTimeMS"], -1);
    if (block_ms < 0) {
      // mongod takes it, and then fails the commands that it is for.
      const std::string_view sentence = data.has("blockTimeMS")
                                            ? "'blockTimeMS' must be non-negative"
                                            : "must specify 'blockTimeMS' when 'blockConnection' is true";
      injection.faults.push_back(make_error(code::invalid_options, sentence, {}, CursorFate::Kept));
    } else {
      const wire::Value duration = wire::Value::string(std::to_string(std::min(block_ms, delay_ms_max)) + "ms");
      injection.faults.push_back(find_fault("delay")->make(duration, std::nullopt));
    }
  }
  const std::int64_t error_code = whole(data["errorCode"], 0);
  const bool only_write_concern = data["writeConcernError"].is(wire::Type::Document);
  if (is_true(data["closeConnection"]))
    injection.faults.push_back(find_fault("close")->make({}, std::nullopt));
  else if (error_code != 0)
    injection.faults.push_back(make_command_error(error_code, data, setting.deployment.profile));
  else if (only_write_concern)
    injection.faults.push_back(make_write_concern_error(data));
  injection.filter = [kept = known, only_write_concern](const Exchange& exchange, const Connection& connection) {
    const bool takes_write_concern =
        exchange.command != nullptr && exchange.command->write_concern == WriteConcern::Supported;
    return (takes_write_concern || !only_write_concern) && chooses(kept, NeedsNames::Yes, exchange, connection);
  };
}

void configure_fail_get_more(const Setting& setting, Injection& injection) {
  const wire::DocumentView data = setting.data;
  const std::int64_t error_code = whole(data["errorCode"], 1);
  injection.faults.push_back(
      make_error(error_code, "Hit the 'failGetMoreAfterCursorCheckout' failpoint", data, CursorFate::Gone));
  injection.filter = [kept = wire::Document(data)](const Exchange& exchange, const Connection& connection) {
    // Only what reads a cursor names one by a 64-bit number.
    return exchange.request.target().is(wire::Type::Int64) && exchange.request["collection"].is(wire::Type::String) &&
           chooses(kept, NeedsNames::No, exchange, connection);
  };
}

// Faults that the plan gives to no request: the write path enters them.
void configure_write_point(const Setting& setting, Injection& injection) {
  injection.faults.push_back(make_write_fail_point(setting.mode, setting.data, setting.deployment.spec.seed));
  injection.filter = [](const Exchange&, const Connection&) { return false; };
}

void configure_stop_get_more(const Setting&, Injection& injection) {
  constexpr int command_failed = 125;
  injection.faults.push_back(make_error(command_failed,
                                        "getMore on local.oplog.rs rejected due to active fail point rsStopGetMoreCmd",
                                        {}, CursorFate::Kept));
  injection.filter = [](const Exchange& exchange, const Connection&) {
    const wire::ValueView collection = exchange.request["collection"];
    return exchange.request.target().is(wire::Type::Int64) && exchange.request.db == "local" &&
           collection.is(wire::Type::String) && collection.as_string() == "oplog.rs";
  };
}

void configure_always_time_out(const Setting& setting, Injection& injection) {
  configure_max_time(setting.deployment, injection);
}

struct FailPoint {
  std::string_view name;
  // nullptr: mongod has it; here it can only be turned off.
  void (*configure)(const Setting& setting, Injection& injection) = nullptr;
  // The first build that has it, and the last.
  int wire_version_min = 0;
  int wire_version_max = 1000;
};

constexpr FailPoint fail_points[] = {{"failCommand", configure_fail_command},
                                     {"failGetMoreAfterCursorCheckout", configure_fail_get_more, 9},
                                     {"onPrimaryTransactionalWrite", configure_write_point},
                                     {"failCollectionUpdates", configure_write_point},
                                     {"rsStopGetMoreCmd", configure_stop_get_more},
                                     {"maxTimeAlwaysTimeOut", configure_always_time_out},
                                     {"WTWriteConflictException"},
                                     {"changeStreamPreImageRemoverCurrentTime", nullptr, 17},
                                     {"failAllInserts"},
                                     {"failAllRemoves"},
                                     {"failAllUpdates"},
                                     {"failReceivedGetmore"},
                                     {"hangAfterCollectionInserts"},
                                     {"hangBeforeCommitingTxn"},
                                     {"maxTimeNeverTimeOut"},
                                     {"rsSyncApplyStop"},
                                     {"skipWriteConflictRetries"},
                                     {"stopReplProducer"},
                                     {"waitAfterPinningCursorBeforeGetMoreBatch"},
                                     {"waitInFindBeforeMakingBatch"},
                                     {"waitInHello", nullptr, 9},
                                     {"waitInIsMaster", nullptr, 0, 8},
                                     {"waitWithPinnedCursorDuringGetMoreBatch"}};

const FailPoint* fail_point_named(std::string_view name, const Profile& profile) {
  const auto* const at = std::ranges::find(fail_points, name, &FailPoint::name);
  if (at == std::end(fail_points)) return nullptr;
  const int version = profile.max_wire_version;
  return version < at->wire_version_min || version > at->wire_version_max ? nullptr : at;
}

void configure(const Setting& setting, Injection& injection) {
  const FailPoint* point = fail_point_named(setting.name, setting.deployment.profile);
  if (point == nullptr) throw CommandError(fail_point_set_failed, std::string(setting.name) + " not found");
  if (point->configure != nullptr)
    point->configure(setting, injection);
  else if (setting.mode.on)
    not_built("fail point " + std::string(setting.name));
}

Outcome run(Context& context) {
  const wire::ValueView target = context.request.target();
  const std::string name(target.is(wire::Type::String) ? target.as_string() : std::string_view());
  const FailPointMode mode = read_mode(context.request["mode"], context.profile().wording);
  const wire::ValueView given = context.request["data"];
  if (!given.missing() && !given.is(wire::Type::Document) && !given.is(wire::Type::Array))
    throw CommandError(code::type_mismatch, "the 'data' option must be a JSON object");
  const wire::DocumentView data = given.missing() ? wire::DocumentView() : given.as_document();
  Injection injection;
  injection.name = name;
  injection.skip = mode.skip;
  injection.times = mode.times;
  injection.chance = mode.chance;
  configure({name, mode, data, context.deployment}, injection);
  FaultPlan& faults = context.deployment.faults;
  context.reply.append_int32("count", static_cast<std::int32_t>(times_entered(context.deployment, name)));
  faults.clear_named(context.deployment, name);
  if (mode.on) faults.inject(std::move(injection), context.now);
  return Replied{};
}

}  // namespace

bool is_fail_point(std::string_view name, const Profile& profile) { return fail_point_named(name, profile) != nullptr; }

extern constinit const CommandSpec configure_fail_point_command{
    .name = "configureFailPoint",
    .needs_auth = NeedsAuth::No,
    .admin_only = AdminOnly::Yes,
    .faultable = Faultable::No,
    .authorized = anybody,
    .run = run,
    .help =
        "Sets one of MongoDB's fail points: failCommand, failGetMoreAfterCursorCheckout, onPrimaryTransactionalWrite, "
        "maxTimeAlwaysTimeOut, …"};

}  // namespace emulator
