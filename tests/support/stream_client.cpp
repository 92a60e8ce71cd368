#include "tests/support/stream_client.h"

namespace oplogue_test {

void StreamClient::connect() {
  world_.open(++connection_);
  state_ = State::Greeting;
  world_.send(
      connection_,
      json(R"({"hello": 1, "client": {"application": {"name": "watcher"}, "driver": {"name": "fake", "version": "1"},
      "os": {"type": "none"}}, "$db": "admin"})"));
}

void StreamClient::open_stream() {
  state_ = State::Opening;
  wire::DocumentBuilder command;
  command.append_string("aggregate", "items").begin_array("pipeline");
  command.begin_document(command.item_name()).begin_document("$changeStream");
  if (!token_.is_default()) command.append_document("resumeAfter", token_);
  command.end().end().end().begin_document("cursor").end().append_string("$db", "app");
  world_.send(connection_, command.finish());
}

void StreamClient::read_more() {
  state_ = State::Reading;
  wire::DocumentBuilder command;
  command.append_int64("getMore", cursor_).append_string("collection", "items").append_string("$db", "app");
  world_.send(connection_, command.finish());
}

void StreamClient::take(const wire::Document& reply) {
  if (state_ == State::Greeting) {
    open_stream();
    return;
  }
  if (const wire::ValueView code = reply["code"]; code.is(wire::Type::Int32)) {
    if (code.as_int32() == 286) token_ = {};
    open_stream();
    return;
  }
  const wire::ValueView token = reply.find_path("cursor.postBatchResumeToken");
  if (token.is(wire::Type::Document)) token_ = wire::Document(token.as_document());
  cursor_ = reply.find_path("cursor.id").as_int64();
  read_more();
}

void StreamClient::watch() {
  if (state_ == State::Closed) {
    connect();
    return;
  }
  // What was sent before the connection ended is read first. One reply at a time: who is refused asks again for ever.
  if (const auto reply = world_.take_reply(connection_))
    take(*reply);
  else if (world_.ending(connection_))
    state_ = State::Closed;
}

void StreamClient::mark(const std::string& name) {
  if (marked_) return;
  marked_ = true;
  world_.open(++connection_);
  wire::DocumentBuilder command;
  command.begin_document("oplogue").append_string("mark", name).end().append_string("$db", "admin");
  world_.send(connection_, command.finish());
}

}  // namespace oplogue_test
