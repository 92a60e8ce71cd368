// What the tests of server/ share: a scripted core, a client on a plain socket, and a loop that runs until something is
// true.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/core.h"
#include "server/host.h"

namespace server {

// Answers inputs as the test says and remembers them. Bytes received are kept as text.
class ScriptedCore final : public Core {
 public:
  using Effects = std::vector<scenarios::Effect>;
  std::function<void(const emulator::Received&, Effects&)> on_received;
  std::function<void(const emulator::Opened&, Effects&)> on_opened;
  std::optional<emulator::RealTime> wake;

  std::vector<emulator::Listening> listening;
  std::vector<emulator::Opened> opened;
  std::vector<emulator::Written> written;
  std::vector<emulator::Closed> closed;
  std::string received;
  int woken = 0;

  void step(const scenarios::Input& input, emulator::Now, Effects& effects) override {
    if (const auto* one = std::get_if<emulator::Listening>(&input)) listening.push_back(*one);
    if (const auto* one = std::get_if<emulator::Written>(&input)) written.push_back(*one);
    if (const auto* one = std::get_if<emulator::Closed>(&input)) closed.push_back(*one);
    if (std::holds_alternative<emulator::Woken>(input)) {
      ++woken;
      wake.reset();
    }
    if (const auto* one = std::get_if<emulator::Opened>(&input)) {
      opened.push_back(*one);
      if (on_opened) on_opened(*one, effects);
    }
    if (const auto* one = std::get_if<emulator::Received>(&input)) {
      received.append(reinterpret_cast<const char*>(one->bytes.data()), one->bytes.size());
      if (on_received) on_received(*one, effects);
    }
  }
  std::optional<emulator::RealTime> next_wake() const override { return wake; }
};

class SilentShell final : public TrialShell {
 public:
  void start_process(const scenarios::StartProcess&) override {}
  void stop_process(const scenarios::StopProcess&) override {}
  void ready(const scenarios::Ready&) override {}
  void script_failed(const scenarios::ScriptFailed&) override {}
  void finished(const scenarios::Finished&) override {}
};

// A client that blocks for at most five seconds.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer_bytes = 0) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer_bytes > 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof receive_buffer_bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect_error_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  }
  ~Client() { close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  int connect_error() const { return connect_error_; }
  void send(std::string_view bytes) {
    ASSERT_EQ(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  // What is there now; empty: nothing. `ended()` and `reset()` say why nothing will come.
  std::string receive_now(std::size_t bytes_max = 1 << 20) {
    std::string bytes(bytes_max, '\0');
    const ssize_t got = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got == 0) ended_ = true;
    if (got < 0 && errno == ECONNRESET) reset_ = true;
    bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return bytes;
  }
  bool ended() const { return ended_; }
  bool reset() const { return reset_; }
  void reset_connection() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close();
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

 private:
  int socket_;
  int connect_error_ = 0;
  bool ended_ = false;
  bool reset_ = false;
};

// Runs the loop until `condition`; false if that takes more than five seconds.
inline bool run_until(boost::asio::io_context& io, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    if (io.stopped()) io.restart();
    io.run_one_for(std::chrono::milliseconds(1));
  }
  return true;
}

// A host with one member (or more) on ports of the kernel's choice.
struct Served {
  explicit Served(HostOptions options = {}, std::size_t member_count = 1)
      : host(io, core, shell, options, member_count) {
    host.start();
  }
  std::uint16_t port(std::size_t member = 0) const { return core.listening.at(member).port; }
  bool until(const std::function<bool()>& condition) { return run_until(io, condition); }
  // Everything the client gets, until so many bytes are there.
  std::string receive(Client& client, std::size_t bytes) {
    std::string all;
    until([&] {
      all += client.receive_now();
      return all.size() >= bytes || client.ended() || client.reset();
    });
    return all;
  }

  boost::asio::io_context io{1};
  ScriptedCore core;
  SilentShell shell;
  Host host;
};

inline emulator::Send send_text(emulator::ConnectionId connection, emulator::DeliveryId delivery, std::string text) {
  return {.connection = connection, .delivery = delivery, .payload = wire::Payload(std::move(text))};
}

}  // namespace server
