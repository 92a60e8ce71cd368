// hello and its legacy spelling: who the member is, and what awaits a change of that (facts §6.3, §6.4).
#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/authentication.h"
#include "emulator/authorization.h"
#include "emulator/commands/table.h"
#include "emulator/date_units.h"
#include "emulator/error_codes.h"
#include "emulator/facts/reply_facts.h"
#include "emulator/hello.h"
#include "emulator/limits.h"
#include "emulator/member_address.h"
#include "emulator/reply.h"
#include "emulator/server_parameters.h"
#include "emulator/sharding.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

constexpr int load_balancer_support_mismatch = 354;

void note_client(Context& context) {
  const Request& request = context.request;
  Connection& connection = context.connection;
  if (request["helloOk"].is(wire::Type::Bool)) connection.hello_ok = request["helloOk"].as_bool();
  const wire::ValueView client = request["client"];
  const bool is_first = connection.client.is_default();
  if (!is_first && client && context.exchange.repeat == 0)
    throw CommandError(186, "The client metadata document may only be sent in the first " +
                                std::string(context.profile().max_wire_version <= 9 ? "isMaster" : "hello"));
  // A first one without leaves the empty document: there is no second chance.
  if (is_first)
    connection.client =
        client.is(wire::Type::Document) ? wire::Document(client.as_document()) : wire::DocumentBuilder().finish();
  if (!is_first) return;
  const wire::ValueView name = connection.client.find_path("application.name");
  if (name.is(wire::Type::String)) connection.application = name.as_string();
}

void append_members(Context& context, const Member& self) {
  wire::DocumentBuilder& out = context.reply;
  const Deployment& deployment = context.deployment;
  out.begin_array("hosts");
  const Member* primary = nullptr;
  for (const Member& member : deployment.members) {
    if (member.role == Role::Primary) primary = &member;
    if (!member.hidden && member.role != Role::Arbiter) out.append_string(out.item_name(), address_of(context, member));
  }
  out.end().append_string("setName", deployment.spec.set_name).append_int32("setVersion", deployment.config_version);
  const bool writable = self.role == Role::Primary;
  out.append_bool(context.request.name == "hello" ? "isWritablePrimary" : "ismaster", writable)
      .append_bool("secondary", self.role == Role::Secondary);
  if (primary != nullptr) out.append_string("primary", address_of(context, *primary));
  if (self.role == Role::Arbiter) out.append_bool("arbiterOnly", true);
  if (self.hidden) out.append_bool("hidden", true);
  out.append_string("me", address_of(context, self));
  if (writable) out.append_object_id("electionId", deployment.election_id());
  const wire::Timestamp last = deployment.cluster_time();
  const std::int64_t last_ms = std::int64_t{last.seconds} * 1000;
  out.begin_document("lastWrite");
  for (const char* which : {"opTime", "majorityOpTime"}) {
    out.begin_document(which).append_timestamp("ts", last).append_int64("t", deployment.term).end();
    out.append_date(which == std::string_view("opTime") ? "lastWriteDate" : "majorityWriteDate", last_ms);
  }
  out.end();
}

// The compressors of both, in the client's order.
void append_compression(Context& context) {
  const wire::ValueView asked = context.request["compression"];
  if (!asked.is(wire::Type::Array)) return;
  constexpr std::array known{std::string_view("snappy"), std::string_view("zstd"), std::string_view("zlib")};
  std::vector<std::string_view> both;
  for (const wire::Element& element : asked.as_document())
    if (element.value.is(wire::Type::String) &&
        std::find(known.begin(), known.end(), element.value.as_string()) != known.end())
      both.push_back(element.value.as_string());
  if (both.empty()) return;
  wire::DocumentBuilder& out = context.reply;
  out.begin_array("compression");
  for (const std::string_view name : both) out.append_string(out.item_name(), name);
  out.end();
}

void append_limits(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  const bool router = has_router(context.deployment);
  out.append_int32("maxBsonObjectSize", document_bytes_max)
      .append_int32("maxMessageSizeBytes", message_bytes_max)
      .append_int32("maxWriteBatchSize", write_batch_max)
      .append_date("localTime", context.wall_ms())
      .append_int32("logicalSessionTimeoutMinutes", static_cast<std::int32_t>(server_parameter_number(
                                                        context.deployment, "localLogicalSessionTimeoutMinutes")))
      .append_int32("connectionId", static_cast<std::int32_t>(context.connection.number));
  // A router says the newest version first, and nothing of being read-only.
  if (router) {
    out.append_int32("maxWireVersion", context.profile().max_wire_version).append_int32("minWireVersion", 0);
    return;
  }
  out.append_int32("minWireVersion", 0)
      .append_int32("maxWireVersion", context.profile().max_wire_version)
      .append_bool("readOnly", false);
}

// Behind a load balancer every client must know that it is; what is not, closes the connection (354).
void check_load_balancing(Context& context) {
  if (context.deployment.spec.topology != Topology::LoadBalanced) return;
  const wire::ValueView asked = context.request["loadBalanced"];
  const bool first = !context.connection.load_balanced;
  if (first && !(asked.is(wire::Type::Bool) && asked.as_bool()))
    throw CommandError(load_balancer_support_mismatch,
                       "The server is being accessed through a load balancer, but this driver does not have load "
                       "balancing enabled");
  context.connection.load_balanced = true;
}

// Constant for a router's life, another one for each router.
wire::ObjectId service_id(const Deployment& deployment) {
  wire::ObjectId id = deployment.process_id;
  id.bytes[4] ^= 0xFF;
  return id;
}

UserName user_named(wire::ValueView value) {
  if (value.is(wire::Type::Document)) return name_of(value.as_document());
  if (!value.is(wire::Type::String))
    throw CommandError(code::type_mismatch, "BSON field 'hello.saslSupportedMechs' is the wrong type '" +
                                                std::string(wire::type_name(value.type())) +
                                                "', expected types '[string, object]'");
  const std::string_view text = value.as_string();
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos)
    throw CommandError(code::bad_value, "UserName must contain a '.' separated database.user pair");
  return {std::string(text.substr(dot + 1)), std::string(text.substr(0, dot))};
}

// How the user that the client names can log in, and what came of its trying to right away.
void append_authentication(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  if (const wire::ValueView named = context.request["saslSupportedMechs"]) {
    const wire::Document user = find_user(context.deployment.store, user_named(named));
    if (!user.is_default()) {
      out.begin_array("saslSupportedMechs");
      for (const ScramHash hash : {ScramHash::Sha256, ScramHash::Sha1})
        if (credentials_of(user, hash)) out.append_string(out.item_name(), mechanism_name(hash));
      out.end();
    }
  }
  const wire::ValueView attempt = context.request["speculativeAuthenticate"];
  constexpr int first_wire_version = 9;  // 4.4
  if (!attempt || context.profile().max_wire_version < first_wire_version) return;
  if (!attempt.is(wire::Type::Document))
    throw CommandError(code::type_mismatch, "BSON field 'hello.speculativeAuthenticate' is the wrong type '" +
                                                std::string(wire::type_name(attempt.type())) +
                                                "', expected type 'object'");
  const wire::Document outcome = authenticate_speculatively(context, attempt.as_document());
  if (!outcome.is_default()) out.append_document("speculativeAuthenticate", outcome);
}

Outcome answer(Context& context) {
  wire::DocumentBuilder& out = context.reply;
  if (context.request["helloOk"] && context.profile().replies.hello_ok) out.append_bool("helloOk", true);
  if (context.deployment.is_replica_set()) {
    append_topology_version(out, context.deployment, context.member);
    append_members(context, context.member);
  } else {
    out.append_bool(context.request.name == "hello" ? "isWritablePrimary" : "ismaster", true);
    if (has_router(context.deployment)) out.append_string("msg", "isdbgrid");
    append_topology_version(out, context.deployment, context.member);
  }
  append_limits(context);
  append_compression(context);
  append_authentication(context);
  if (context.connection.load_balanced) out.append_object_id("serviceId", service_id(context.deployment));
  context.exchange.told_topology_counter = context.member.topology_counter;
  return Replied{};
}

Outcome go_on(Context& context, WaitState& state, WakeReason reason) {
  if (reason == WakeReason::Killed) throw CommandError(state.kill_code, "operation was interrupted");
  if (reason == WakeReason::Expired || context.member.topology_counter != state.number) return answer(context);
  Wait wait;
  wait.deadline = RealTime(state.cursor);
  wait.what = WaitForTopology{};
  wait.resume = go_on;
  wait.state = state;
  return wait;
}

struct Awaiting {
  wire::ObjectId process_id;
  std::int64_t counter = 0;
  std::int64_t max_await_ms = 0;
};

std::optional<Awaiting> read_awaiting(const Request& request) {
  const wire::ValueView version = request["topologyVersion"];
  const wire::ValueView max_await = request["maxAwaitTimeMS"];
  if (version.missing() != max_await.missing())
    throw CommandError(31368, version.missing() ? "A request with a 'maxAwaitTimeMS' must include a 'topologyVersion'"
                                                : "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
  if (version.missing()) {
    if (request.exhaust_allowed())
      throw CommandError(51756, "An isMaster or hello request with exhaust must specify 'maxAwaitTimeMS'");
    return std::nullopt;
  }
  Awaiting out;
  const wire::ValueView id = version.is(wire::Type::Document) ? version.as_document()["processId"] : wire::ValueView();
  const wire::ValueView counter =
      version.is(wire::Type::Document) ? version.as_document()["counter"] : wire::ValueView();
  if (!id.is(wire::Type::ObjectId) || !counter.is(wire::Type::Int64) || !max_await.is_number())
    throw CommandError(code::type_mismatch, "BSON field 'topologyVersion' or 'maxAwaitTimeMS' has a wrong type");
  out.process_id = id.as_object_id();
  out.counter = counter.as_int64();
  out.max_await_ms = whole_number(max_await);
  if (out.counter < 0) throw CommandError(31372, "topologyVersion must have a non-negative counter");
  if (out.max_await_ms < 0) throw CommandError(31373, "maxAwaitTimeMS must be a non-negative integer");
  return out;
}

// Some ninety years: what a clock of nanoseconds can still wait for.
constexpr std::int64_t await_ms_max = 3'000'000'000'000;

Outcome run(Context& context) {
  note_client(context);
  check_load_balancing(context);
  // What came before topologyVersion knows nothing of awaiting: one answer at once.
  if (!context.profile().replies.topology_version) return answer(context);
  std::optional<Awaiting> awaiting = read_awaiting(context.request);
  if (!awaiting) return answer(context);
  if (!narrowed(WideInteger{context.wall_ms()} + awaiting->max_await_ms))
    duration_overflow(context.wall_ms(), awaiting->max_await_ms, "ms");
  const Member& member = context.member;
  // A streaming hello goes on from what its last reply said, not from what its request did.
  if (context.exchange.repeat > 0) awaiting->counter = context.exchange.told_topology_counter;
  context.exchange.exhaust = true;
  if (awaiting->process_id != context.deployment.process_id) return answer(context);
  if (awaiting->counter > member.topology_counter)
    throw CommandError(31382, "Received a topology version with counter: " + std::to_string(awaiting->counter) +
                                  " which is greater than the server topology version counter: " +
                                  std::to_string(member.topology_counter));
  if (awaiting->counter < member.topology_counter) return answer(context);
  Wait wait;
  wait.deadline = context.deployment.clock.waited(context.now) +
                  std::chrono::milliseconds(std::min(awaiting->max_await_ms, await_ms_max));
  wait.what = WaitForTopology{};
  wait.resume = go_on;
  wait.state.cursor = wait.deadline.count();
  wait.state.number = awaiting->counter;
  return wait;
}

}  // namespace

bool is_later_spelling(std::string_view name, const Profile& profile) {
  return name == "hello" && !profile.replies.topology_version;
}

extern constinit const CommandSpec hello_command{
    .name = "hello",
    .aliases = {"isMaster", "ismaster"},
    .needs_auth = NeedsAuth::No,
    .by_op_query = ByOpQuery::Allowed,
    .monitoring = Monitoring::Yes,
    .api_version_1 = ApiVersion1::Yes,
    .secret = "*",
    .authorized = anybody,
    .run = run,
    .help = "Says who this member is; waits for a change of that when asked to."};

}  // namespace emulator
