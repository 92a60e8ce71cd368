// A member's port: open, refusing, or given up; once known, the port stays the member's. Knows no sessions.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "emulator/effect.h"
#include "server/session.h"

namespace server {

// The address that `text` names, by number or by name ("localhost"). Throws StartError.
boost::asio::ip::address resolve_bind_address(boost::asio::io_context& io, const std::string& text);

class Listener {
 public:
  using Accepted = std::function<void(Session::Socket)>;

  // Takes the port (0: a free one, kept from then on). Who connects is accepted from set_state(Open) on. Throws
  // StartError.
  Listener(boost::asio::io_context& io, boost::asio::ip::tcp::endpoint endpoint, Accepted accepted);

  // Throws StartError when a port that was given up meanwhile belongs to someone else.
  void set_state(emulator::ListenState state);
  std::uint16_t port() const { return endpoint_.port(); }
  // What a client on this machine can connect to: the bound address, or loopback for "any".
  std::string host() const;
  // host:port, with brackets around an IPv6 address.
  std::string address() const;

 private:
  using Acceptor = boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

  void bind(Acceptor& acceptor);
  void listen();
  void accept();
  void accept_after(std::chrono::milliseconds delay);

  boost::asio::io_context& io_;
  boost::asio::ip::tcp::endpoint endpoint_;
  Accepted accepted_;
  Acceptor acceptor_;
  boost::asio::steady_timer retry_;
  emulator::ListenState state_ = emulator::ListenState::Refuse;
  unsigned opening_ = 0;  // counts set_state: what an earlier opening accepts is dropped
};

// "127.0.0.1:27017", "[::1]:27017".
std::string endpoint_text(const boost::asio::ip::tcp::endpoint& endpoint);

}  // namespace server
