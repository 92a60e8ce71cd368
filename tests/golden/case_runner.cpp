#include "tests/golden/case_runner.h"

#include <algorithm>

#include "tests/golden/token_reader.h"
#include "tests/golden/wrote.h"
#include "wire/compare.h"
#include "wire/op_msg.h"

namespace golden {
namespace {

using namespace std::chrono_literals;
using wire::DocumentView;
using wire::Type;

constexpr auto repeat_time = 5s;
constexpr auto poll_time = 15s;
constexpr auto poll_pause = 100ms;
constexpr std::size_t oplog_bytes = std::size_t{100} << 20;  // as the recorded server's --oplogSize 100

// The server that the goldens were recorded on.
emulator::DeploymentSpec recorded_server(const Case& golden_case) {
  emulator::DeploymentSpec spec;
  spec.profile = golden_case.profile;
  spec.topology = golden_case.topology;
  spec.oplog_start = emulator::OplogStart::Rolled;
  spec.oplog_bytes = oplog_bytes;
  spec.parameters["enableTestCommands"] = wire::Value::boolean(true);
  spec.parameters["expiredChangeStreamPreImageRemovalJobSleepSecs"] = wire::Value::int32(1);
  return spec;
}

std::string connection_of(DocumentView step) {
  const wire::ValueView name = step["conn"];
  return name ? std::string(name.as_string()) : "main";
}

bool is_true(DocumentView step, std::string_view name) { return step[name].is(Type::Bool) && step[name].as_bool(); }

bool has_empty_batch(DocumentView reply) {
  const wire::ValueView batch = reply.find_path("cursor.nextBatch");
  return is_ok(reply) && batch.is(Type::Array) && batch.as_document().empty();
}

// The events of a database command's own cursor come with the reply: a missing array is no stream's.
wire::DocumentView items(DocumentView of, std::string_view name) {
  const wire::ValueView value = of[name];
  return value ? value.as_document() : DocumentView();
}

bool requires_feature(DocumentView body, std::string_view feature) {
  for (const auto& [index, name] : items(body, "requires"))
    if (name.as_string() == feature) return true;
  return false;
}

}  // namespace

CaseRunner::CaseRunner(const Case& golden_case)
    : case_(golden_case),
      server_(recorded_server(golden_case)),
      client_(server_),
      references_(seen_),
      normaliser_(golden_case.body, std::string(support::InProcessServer::address)) {
  for (const auto& [index, spec] : items(case_.body, "streams")) {
    const std::string id(spec.as_document()["id"].as_string());
    streams_.emplace_back(spec.as_document(), seen_.events[id]);
  }
}

Json CaseRunner::run() {
  drop_databases();
  set_up();
  open_streams();
  Json tree = play();
  tear_down();
  return tree;
}

wire::Document CaseRunner::run_as_runner(DocumentView item) {
  const wire::Document command = references_.resolve(item["command"].as_document());
  return client_.run("runner", item["db"].as_string(), command);
}

void CaseRunner::drop_databases() {
  wire::DocumentBuilder create;
  create.append_string("create", "c");
  const wire::Document left_over = create.finish();
  wire::DocumentBuilder drop;
  drop.append_int32("dropDatabase", 1);
  const wire::Document command = drop.finish();
  // A server whose oplog has rolled over has played cases before this one: what they left goes now, and that is an event.
  const bool played_before = requires_feature(case_.body, "rolledOplog");
  const auto drop_one = [&](std::string_view database) {
    if (played_before) client_.run("runner", database, left_over);
    client_.run("runner", database, command);
  };
  if (!case_.body.has("databases")) drop_one("golden");
  for (const auto& [index, name] : items(case_.body, "databases")) drop_one(name.as_string());
}

void CaseRunner::set_up() {
  for (const auto& [index, item] : items(case_.body, "setup")) {
    const DocumentView command = item.as_document();
    const wire::Document reply = run_as_runner(command);
    if (!is_true(command, "mayFail") && (!is_ok(reply) || reply.has("writeErrors")))
      throw CaseError("setup failed: " + plain(wire::Value::document(reply)).dump());
    seen_.setup.push_back(reply);
  }
}

void CaseRunner::open_streams() {
  std::vector<std::string_view> later;
  for (const auto& [index, step] : items(case_.body, "steps"))
    if (const wire::ValueView id = step.as_document()["open"]) later.push_back(id.as_string());
  for (Stream& stream : streams_)
    if (std::find(later.begin(), later.end(), stream.id()) == later.end()) stream.open(client_, references_);
}

Json CaseRunner::play() {
  Json recorded = Json::array();
  for (const auto& [index, step] : items(case_.body, "steps")) {
    last_.reset();
    recorded.push_back(this->step(step.as_document()));
    seen_.responses.push_back(last_);
  }
  const Json expected = case_.expect.value("events", Json::object());
  for (Stream& stream : streams_) {
    std::optional<std::size_t> count;
    if (expected.contains(stream.id())) count = expected[stream.id()].size();
    if (stream.is_open()) stream.drain(server_, client_, count);
  }
  normaliser_.set_now(server_.now().system);
  Json tree{{"responses", std::move(recorded)}};
  if (streams_.empty()) return number_volatile_leaves(tree);
  Json events = Json::object();
  Json ends = Json::object();
  for (const Stream& stream : streams_) {
    Json& seen = events[stream.id()] = Json::array();
    for (const wire::Document& event : seen_.events[stream.id()]) seen.push_back(normaliser_.event(event));
    ends[stream.id()] = stream.end(normaliser_);
  }
  tree["events"] = std::move(events);
  tree["streamEnd"] = std::move(ends);
  return number_volatile_leaves(tree);
}

void CaseRunner::tear_down() {
  for (Stream& stream : streams_) stream.close(client_);
  for (const auto& [index, item] : items(case_.body, "teardown")) run_as_runner(item.as_document());
}

Stream& CaseRunner::stream(std::string_view id) {
  const auto at =
      std::find_if(streams_.begin(), streams_.end(), [id](const Stream& stream) { return stream.id() == id; });
  if (at == streams_.end()) throw CaseError("no stream " + std::string(id));
  return *at;
}

Json CaseRunner::step(DocumentView step) {
  if (const wire::ValueView id = step["open"]) {
    stream(id.as_string()).open(client_, references_);
  } else if (const wire::ValueView read = step["read"]) {
    stream(read.as_string()).read(server_, client_, static_cast<std::size_t>(integer(step["count"])));
  } else if (const wire::ValueView ms = step["sleepMS"]) {
    server_.let_pass(std::chrono::milliseconds(integer(ms)));
  } else if (const wire::ValueView closed = step["close"]) {
    stream(closed.as_string()).close(client_);
  } else if (const wire::ValueView connection = step["wait"]) {
    const auto request = pending_.extract(std::string(connection.as_string()));
    if (!request) throw CaseError("nothing is awaited on connection " + std::string(connection.as_string()));
    return request.mapped().step.has("legacy") ? receive_legacy(request.mapped()) : receive(request.mapped());
  } else if (step.has("legacy")) {
    return legacy(step);
  } else if (step.has("command")) {
    return command(step);
  } else {
    throw CaseError("a step of a kind that this runner does not know");
  }
  return nullptr;
}

Json CaseRunner::command(DocumentView step) {
  const Request request{.command = references_.resolve(step["command"].as_document()), .step = step};
  const emulator::RealTime stop = server_.now().real + (step.has("poll") ? poll_time : repeat_time);
  for (;;) {
    const emulator::RealTime began = server_.now().real;
    send(request);
    if (is_true(step, "moreToCome")) return nullptr;
    if (is_true(step, "background")) {
      pending_.insert_or_assign(connection_of(step), request);
      return nullptr;
    }
    Json out = receive(request);
    if (server_.now().real > stop || judge(step) == Verdict::Done) {
      check_duration(step, began);
      return out;
    }
    if (step.has("poll")) server_.let_pass(poll_pause);
  }
}

void CaseRunner::send(const Request& request) {
  const std::string_view db = request.step["db"].as_string();
  const std::string connection = connection_of(request.step);
  if (request.step.has("opcode")) return client_.send_query(connection, db, request.command);
  std::uint32_t flags = 0;
  if (request.step.has("exhaust")) flags |= static_cast<std::uint32_t>(wire::OpMsgFlag::ExhaustAllowed);
  if (is_true(request.step, "moreToCome")) flags |= static_cast<std::uint32_t>(wire::OpMsgFlag::MoreToCome);
  std::optional<Sequence> sequence;
  if (const wire::ValueView spec = request.step["sequence"]) {
    const wire::Document resolved = references_.resolve(spec.as_document());
    sequence.emplace().identifier = resolved["id"].as_string();
    for (const auto& [index, document] : resolved["documents"].as_document())
      sequence->documents.emplace_back(document.as_document());
  }
  client_.send_msg(connection, db, request.command, flags, sequence);
}

Json CaseRunner::receive(const Request& request) {
  const std::string connection = connection_of(request.step);
  try {
    if (const wire::ValueView count = request.step["exhaust"]) return receive_exhaust(request, integer(count));
    const Reply reply = client_.receive(connection);
    last_ = reply.body;
    Json body = present(request, reply);
    if (!reply.op_reply) return body;
    const OpReplyFields& fields = *reply.op_reply;
    return {{"opReply",
             {{"responseFlags", plain(wire::Value::int32(static_cast<std::int32_t>(fields.flags)))},
              {"cursorID", plain(wire::Value::int64(fields.cursor_id))},
              {"startingFrom", plain(wire::Value::int32(fields.starting_from))},
              {"numberReturned", plain(wire::Value::int32(fields.number_returned))}}},
            {"body", std::move(body)}};
  } catch (const ConnectionClosed&) {
    client_.drop(connection);
    return {{"connectionClosed", true}};
  }
}

Json CaseRunner::receive_exhaust(const Request& request, std::int64_t count) {
  const std::string connection = connection_of(request.step);
  Json replies = Json::array();
  for (std::int64_t n = 0; n < count; ++n) {
    const Reply reply = client_.receive(connection);
    last_ = reply.body;
    replies.push_back(
        {{"moreToCome", wire::has(reply.flags, wire::OpMsgFlag::MoreToCome)}, {"body", present(request, reply)}});
  }
  client_.drop(connection);
  return {{"replies", std::move(replies)}};
}

Json CaseRunner::present(const Request& request, const Reply& reply) const {
  wire::Document body = reply.body;
  if (const wire::ValueView keep = request.step["keep"]) {
    wire::DocumentBuilder kept;
    for (const auto& [name, value] : reply.body)
      for (const auto& [index, wanted] : keep.as_document())
        if (wanted.as_string() == name) kept.append(name, value);
    body = kept.finish();
  }
  if (is_true(request.step, "shape")) return shape(wire::Value::document(body));
  Normaliser normaliser = normaliser_;
  normaliser.set_now(server_.now().system);
  return normaliser.response(request.command, body);
}

CaseRunner::Verdict CaseRunner::judge(DocumentView step) const {
  const DocumentView reply = *last_;
  const wire::ValueView cursor_id = reply.find_path("cursor.id");
  if (step.has("untilEvent") && has_empty_batch(reply) && is_nonzero(cursor_id)) return Verdict::Again;
  if (const wire::ValueView path = step["afterTime"]; path && has_empty_batch(reply)) {
    const Json token = decode_token(reply.find_path("cursor.postBatchResumeToken._data").as_string());
    const Json& time = token["clusterTime"]["$timestamp"];
    const wire::Timestamp seen{time["t"].get<std::uint32_t>(), time["i"].get<std::uint32_t>()};
    if (seen < seen_.lookup(path.as_string()).as_timestamp()) return Verdict::Again;
  }
  if (const wire::ValueView poll = step["poll"]) {
    const wire::ValueView found = reply.find_path(poll.as_document()["path"].as_string());
    if (!found || !wire::equal_values(found, poll.as_document()["value"])) return Verdict::Again;
  }
  return Verdict::Done;
}

void CaseRunner::check_duration(DocumentView step, emulator::RealTime began) const {
  const emulator::RealTime took = server_.now().real - began;
  if (const wire::ValueView ms = step["minMS"]; ms && took < std::chrono::milliseconds(integer(ms)))
    throw CaseError("the reply came before minMS");
  if (const wire::ValueView ms = step["maxMS"]; ms && took > std::chrono::milliseconds(integer(ms)))
    throw CaseError("the reply came after maxMS");
}

}  // namespace golden
