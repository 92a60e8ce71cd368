#include "tests/golden/stream.h"

#include "tests/golden/tree.h"
#include "tests/golden/wrote.h"

namespace golden {
namespace {

using namespace std::chrono_literals;

const std::string connection = "runner";

}  // namespace

Stream::Stream(wire::DocumentView spec, std::vector<wire::Document>& events)
    : spec_(spec), id_(spec["id"].as_string()), events_(events) {
  const wire::ValueView target = spec["target"];
  db_ = target.is(wire::Type::Document) ? target.as_document()["db"].as_string() : "admin";
}

void Stream::open(Client& client, References& references) {
  const wire::ValueView target = spec_["target"];
  wire::DocumentBuilder command;
  const wire::ValueView collection = target.is(wire::Type::Document) ? target.as_document()["coll"] : wire::ValueView();
  if (collection) {
    command.append("aggregate", collection);
  } else {
    command.append_int32("aggregate", 1);
  }
  command.append("pipeline", references.resolve(spec_["pipeline"]));
  const wire::ValueView options = spec_["aggregateOptions"];
  if (!options || !options.as_document().has("cursor")) command.append_document("cursor", wire::DocumentView());
  if (options) command.append_all(references.resolve(options.as_document()));
  opened_ = true;
  const wire::Document reply = client.run(connection, db_, command.finish());
  if (!is_ok(reply)) {
    end_ = "openError";
    error_ = reply;
    return;
  }
  const wire::ValueView ns = reply.find_path("cursor.ns");
  if (!ns.is(wire::Type::String)) throw CaseError("the reply that opens stream " + id_ + " names no namespace");
  collection_ = ns.as_string().substr(ns.as_string().find('.') + 1);
  take(reply["cursor"].as_document(), "firstBatch");
}

std::size_t Stream::take(wire::DocumentView cursor, std::string_view batch) {
  std::size_t count = 0;
  if (!cursor[batch].is(wire::Type::Array))
    throw CaseError("a reply of stream " + id_ + " has no " + std::string(batch));
  for (const auto& [index, event] : cursor[batch].as_document()) {
    events_.emplace_back(event.as_document());
    ++count;
  }
  cursor_ = integer(cursor["id"]);
  if (cursor_ == 0) end_ = "closed";
  return count;
}

std::size_t Stream::get_more(Client& client, std::chrono::milliseconds wait) {
  wire::DocumentBuilder command;
  command.append_int64("getMore", cursor_).append_string("collection", collection_);
  command.append_int32("maxTimeMS", static_cast<std::int32_t>(wait.count()));
  const wire::Document reply = client.run(connection, db_, command.finish());
  if (!is_ok(reply)) {
    end_ = "getMoreError";
    error_ = reply;
    return 0;
  }
  return take(reply["cursor"].as_document(), "nextBatch");
}

void Stream::read(support::InProcessServer& server, Client& client, std::size_t count) {
  claimed_ += count;
  const emulator::RealTime stop = server.now().real + 10s;
  while (events_.size() < claimed_ && is_open() && server.now().real < stop) get_more(client, 500ms);
  if (events_.size() < claimed_)
    throw CaseError("stream " + id_ + ": " + std::to_string(claimed_) + " events wanted, " +
                    std::to_string(events_.size()) + " seen, end " + (end_.empty() ? "open" : end_));
}

void Stream::drain(support::InProcessServer& server, Client& client, std::optional<std::size_t> expected) {
  constexpr int quiet_max = 2;
  const emulator::RealTime stop = server.now().real + 3s;
  for (int quiet = 0; is_open();) {
    quiet = get_more(client, 60ms) > 0 ? 0 : quiet + 1;
    const bool complete = !expected || events_.size() >= *expected;
    if (quiet >= quiet_max && (complete || server.now().real > stop)) return;
  }
}

void Stream::close(Client& client) {
  if (!is_open()) return;
  wire::DocumentBuilder command;
  command.append_string("killCursors", collection_).begin_array("cursors");
  command.item(wire::Value::int64(cursor_)).end();
  client.run(connection, db_, command.finish());
  end_ = "open";
}

Json Stream::end(const Normaliser& normaliser) const {
  if (end_.empty()) return "open";
  if (end_ == "open" || end_ == "closed") return end_;
  return {{end_, normaliser.response(wire::DocumentView(), error_)}};
}

}  // namespace golden
