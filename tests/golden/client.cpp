#include "tests/golden/client.h"

#include <cstring>
#include <span>

#include "tests/golden/tree.h"
#include "wire/message.h"

namespace golden {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 20s;
constexpr std::int32_t opcode_msg = 2013;
constexpr std::int32_t opcode_query = 2004;

void append_int32(std::string& out, std::int32_t value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_document(std::string& out, wire::DocumentView document) {
  out.append(reinterpret_cast<const char*>(document.data()), document.size());
}

Reply decode(const std::string& frame) {
  const wire::Message message = wire::decode_message(std::as_bytes(std::span(frame)));
  Reply out;
  if (const wire::OpMsg* msg = message.op_msg()) {
    out.flags = msg->flags;
    out.body = wire::Document(msg->body);
    return out;
  }
  const auto* reply = std::get_if<wire::OpReply>(&message.operation);
  if (reply == nullptr) throw CaseError("the server answered with an unexpected opcode");
  out.op_reply = OpReplyFields{.flags = reply->flags,
                               .cursor_id = reply->cursor_id,
                               .starting_from = reply->starting_from,
                               .number_returned = static_cast<std::int32_t>(reply->documents.size())};
  for (const wire::DocumentView document : reply->documents) out.documents.emplace_back(document);
  if (!reply->documents.empty()) out.body = out.documents.front();
  return out;
}

}  // namespace

Client::~Client() {
  for (const auto& [name, connection] : connections_) server_.close(connection);
}

emulator::ConnectionId Client::id(const std::string& connection) {
  const auto at = connections_.find(connection);
  if (at != connections_.end()) return at->second;
  return connections_.emplace(connection, server_.connect()).first->second;
}

void Client::drop(const std::string& connection) {
  const auto at = connections_.find(connection);
  if (at == connections_.end()) return;
  server_.close(at->second);
  connections_.erase(at);
}

void Client::send(const std::string& connection, std::int32_t opcode, std::string_view body) {
  std::string message;
  append_int32(message, static_cast<std::int32_t>(wire::header_bytes + body.size()));
  append_int32(message, next_request_++);
  append_int32(message, 0);
  append_int32(message, opcode);
  message += body;
  server_.send(id(connection), message);
}

void Client::send_msg(const std::string& connection, std::string_view db, wire::DocumentView command,
                      std::uint32_t flags, const std::optional<Sequence>& sequence) {
  wire::DocumentBuilder body;
  body.append_all(command).append_string("$db", db);
  std::string out;
  append_int32(out, static_cast<std::int32_t>(flags));
  out += '\0';
  append_document(out, body.view());
  if (sequence) {
    std::string part = sequence->identifier + '\0';
    for (const wire::Document& document : sequence->documents) append_document(part, document);
    out += '\1';
    append_int32(out, static_cast<std::int32_t>(part.size() + sizeof(std::int32_t)));
    out += part;
  }
  send(connection, opcode_msg, out);
}

void Client::send_query(const std::string& connection, std::string_view db, wire::DocumentView command) {
  std::string out;
  append_int32(out, 0);
  out.append(db).append(".$cmd").push_back('\0');
  append_int32(out, 0);
  append_int32(out, -1);
  append_document(out, command);
  send(connection, opcode_query, out);
}

bool Client::is_closed(const std::string& connection) {
  const auto received = server_.receive(id(connection), 1s);
  const auto* silence = std::get_if<support::Silence>(&received);
  return silence != nullptr && *silence == support::Silence::ConnectionClosed;
}

Reply Client::receive(const std::string& connection) {
  const auto received = server_.receive(id(connection), patience);
  if (const auto* frame = std::get_if<std::string>(&received)) return decode(*frame);
  if (std::get<support::Silence>(received) == support::Silence::ConnectionClosed) throw ConnectionClosed();
  throw CaseError("no reply within 20 seconds on connection " + connection);
}

wire::Document Client::run(const std::string& connection, std::string_view db, wire::DocumentView command) {
  send_msg(connection, db, command, 0, std::nullopt);
  return receive(connection).body;
}

}  // namespace golden
