// A deployment and its clients in one process and in virtual time: bytes in, bytes out, exactly what sockets would carry.
// Knows frames, no command.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/engine.h"

namespace support {

// Why there is no message.
enum class Silence { TimedOut, ConnectionClosed };

class InProcessServer {
 public:
  // The address that clients come to.
  static constexpr std::string_view address = "127.0.0.1:27017";

  explicit InProcessServer(emulator::DeploymentSpec spec);

  emulator::ConnectionId connect();
  // The client closes.
  void close(emulator::ConnectionId connection);
  // A round trip's millisecond passes first, so that no client can ask for ever without time going on.
  void send(emulator::ConnectionId connection, std::string_view bytes);
  // The next whole message. While there is none, time goes on to whatever the server does next, at most `patience`.
  std::variant<std::string, Silence> receive(emulator::ConnectionId connection, std::chrono::milliseconds patience);
  // Time goes on; the server does what falls due meanwhile, each at its time.
  void let_pass(std::chrono::nanoseconds time);

  emulator::Now now() const { return now_; }

 private:
  struct Client {
    std::string received;   // from the server, not yet taken
    std::string held_back;  // sent while the server did not read
    emulator::ReadingState reading = emulator::ReadingState::On;
    bool closed = false;
  };

  void step(const emulator::Input& input);
  void apply(const emulator::Send& send);
  void apply(const emulator::Close& close);
  void apply(const emulator::Reading& reading);
  void apply(const emulator::Listen& listen);
  // The server's next own deed, if it falls due up to `until`: time goes on to it and it is done.
  bool wake(emulator::RealTime until);
  std::optional<std::string> take_message(Client& client);

  emulator::Now now_;
  emulator::Engine engine_;
  std::map<emulator::ConnectionId, Client> clients_;
  std::vector<emulator::Input> notices_;  // what the sockets tell the server, in order
  std::uint64_t next_connection_ = 1;
  int wakes_without_progress_ = 0;
};

}  // namespace support
