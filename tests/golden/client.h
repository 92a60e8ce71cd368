// The connections of a case, by name: commands as OP_MSG or OP_QUERY built by hand, replies read back. Knows no case.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/in_process_server.h"
#include "wire/document.h"

namespace golden {

// A kind 1 section.
struct Sequence {
  std::string identifier;
  std::vector<wire::Document> documents;
};

struct OpReplyFields {
  std::uint32_t flags = 0;
  std::int64_t cursor_id = 0;
  std::int32_t starting_from = 0;
  std::int32_t number_returned = 0;
};

struct Reply {
  std::uint32_t flags = 0;  // of OP_MSG
  wire::Document body;
  std::vector<wire::Document> documents;  // of OP_REPLY; body is the first
  std::optional<OpReplyFields> op_reply;  // when it came as OP_REPLY
};

// The server closed the connection instead of answering.
struct ConnectionClosed {};

class Client {
 public:
  explicit Client(support::InProcessServer& server) : server_(server) {}
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send_msg(const std::string& connection, std::string_view db, wire::DocumentView command, std::uint32_t flags,
                const std::optional<Sequence>& sequence);
  void send(const std::string& connection, std::int32_t opcode, std::string_view body);
  // Whether the server closes the connection within a second, in which it sends nothing.
  bool is_closed(const std::string& connection);
  void send_query(const std::string& connection, std::string_view db, wire::DocumentView command);
  // Throws ConnectionClosed; CaseError when there is no reply for 20 seconds.
  Reply receive(const std::string& connection);
  // A command and its reply.
  wire::Document run(const std::string& connection, std::string_view db, wire::DocumentView command);
  void drop(const std::string& connection);

 private:
  emulator::ConnectionId id(const std::string& connection);

  support::InProcessServer& server_;
  std::map<std::string, emulator::ConnectionId> connections_;
  std::int32_t next_request_ = 1001;
};

}  // namespace golden
