// Legacy messages as steps of a case (FORMAT.md, LEGACY MESSAGES).
#include "tests/golden/case_runner.h"
#include "tests/golden/legacy_message.h"

namespace golden {
namespace {

using namespace std::chrono_literals;

constexpr auto repeat_time = 5s;

std::string connection_of(wire::DocumentView step) {
  const wire::ValueView name = step["conn"];
  return name ? std::string(name.as_string()) : "main";
}

// An OP_GET_MORE that shall go on until something comes.
bool is_empty_and_alive(wire::DocumentView seen) {
  const wire::ValueView cursor = seen["cursorID"];
  return cursor && cursor.as_int64() != 0 && seen["documents"].as_document().empty();
}

}  // namespace

Json CaseRunner::legacy(wire::DocumentView step) {
  const std::string connection = connection_of(step);
  const wire::Document resolved = references_.resolve(step);
  const LegacyMessage message = legacy_message(resolved);
  const Request request{.command = wire::Document(legacy_command(resolved)), .step = step};
  const emulator::RealTime stop = server_.now().real + repeat_time;
  for (;;) {
    const emulator::RealTime began = server_.now().real;
    client_.send(connection, message.opcode, message.body);
    if (!has_reply(step["legacy"].as_string())) {
      if (!step.has("expectClose")) return nullptr;
      const bool closed = client_.is_closed(connection);
      client_.drop(connection);
      return {{"connectionClosed", closed}};
    }
    if (step.has("background")) {
      pending_.insert_or_assign(connection, request);
      return nullptr;
    }
    Json out = receive_legacy(request);
    if (step.has("untilEvent") && last_ && is_empty_and_alive(*last_) && server_.now().real < stop) continue;
    check_duration(step, began);
    return out;
  }
}

Json CaseRunner::receive_legacy(const Request& request) {
  const std::string connection = connection_of(request.step);
  last_.reset();
  try {
    const wire::ValueView count = request.step["exhaust"];
    if (!count) return receive_legacy_one(request);
    Json replies = Json::array();
    for (std::int64_t n = 0; n < integer(count); ++n) replies.push_back(receive_legacy_one(request));
    client_.drop(connection);
    return {{"replies", std::move(replies)}};
  } catch (const ConnectionClosed&) {
    client_.drop(connection);
    return {{"connectionClosed", true}};
  }
}

Json CaseRunner::receive_legacy_one(const Request& request) {
  const Reply reply = client_.receive(connection_of(request.step));
  if (!reply.op_reply) throw CaseError("a legacy message was answered with another opcode");
  last_ = seen_reply(reply);
  Json documents = Json::array();
  Normaliser normaliser = normaliser_;
  normaliser.set_now(server_.now().system);
  const bool is_command = !request.command.view().empty();
  for (const wire::Document& document : reply.documents) {
    Reply one;
    one.body = document;
    const bool presents = is_command || request.step.has("keep") || request.step.has("shape");
    documents.push_back(presents ? present(request, one) : normaliser.event(document));
  }
  return {{"opReply", op_reply_head(*reply.op_reply)}, {"documents", std::move(documents)}};
}

}  // namespace golden
