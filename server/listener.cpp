#include "server/listener.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "server/start_error.h"

namespace server {

namespace asio = boost::asio;
using boost::system::error_code;
using emulator::ListenState;
using Tcp = asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds accept_retry{50};

[[noreturn]] void fail_to_listen(const Tcp::endpoint& endpoint, const error_code& error) {
  const std::string host = endpoint.address().to_string();
  if (error == asio::error::address_in_use) {
    throw StartError(fmt::format("port {} of {} is in use: choose another with --port, or 0 for any free one",
                                 endpoint.port(), host));
  }
  if (error == asio::error::access_denied) {
    throw StartError(fmt::format("no permission to listen on port {} of {}: choose a port above 1023 with --port",
                                 endpoint.port(), host));
  }
  if (error == boost::system::errc::address_not_available) {
    throw StartError(fmt::format("{} is no address of this machine: choose another with --bind", host));
  }
  throw StartError(fmt::format("cannot listen on port {} of {}: {}", endpoint.port(), host, error.message()));
}

}  // namespace

asio::ip::address resolve_bind_address(asio::io_context& io, const std::string& text) {
  error_code error;
  asio::ip::address address = asio::ip::make_address(text, error);
  if (!error) return address;
  Tcp::resolver resolver(io);
  const auto found = resolver.resolve(text, "", error);
  if (error || found.empty()) throw StartError(fmt::format("--bind: there is no host \"{}\"", text));
  return found.begin()->endpoint().address();
}

std::string endpoint_text(const Tcp::endpoint& endpoint) {
  const std::string host = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", host, endpoint.port())
                                    : fmt::format("{}:{}", host, endpoint.port());
}

Listener::Listener(asio::io_context& io, Tcp::endpoint endpoint, Accepted accepted)
    : io_(io), endpoint_(std::move(endpoint)), accepted_(std::move(accepted)), acceptor_(io), retry_(io) {
  if (endpoint_.port() == 0) {
    // The kernel forgets a port that it picked as soon as the socket stops listening; one that was asked for by number
    // stays. So: let it pick, then ask for that one, before the first lets go of it.
    Acceptor picker(io_);
    bind(picker);
    endpoint_ = picker.local_endpoint();
    bind(acceptor_);
  } else {
    bind(acceptor_);
  }
  // Without listening a port in use by another program goes unnoticed under SO_REUSEADDR. Who comes before set_state
  // waits in the queue.
  listen();
}

void Listener::bind(Acceptor& acceptor) {
  error_code error;
  acceptor.open(endpoint_.protocol(), error);
  if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint_, error);
  if (error) {
    error_code ignored;
    acceptor.close(ignored);
    fail_to_listen(endpoint_, error);
  }
}

void Listener::listen() {
  error_code error;
  acceptor_.listen(Acceptor::max_listen_connections, error);
  if (error) fail_to_listen(endpoint_, error);
}

void Listener::set_state(ListenState state) {
  if (state == ListenState::Gone) {
    error_code ignored;
    acceptor_.close(ignored);
  } else if (!acceptor_.is_open()) {
    bind(acceptor_);
  }
  if (state == ListenState::Refuse) {
    // A bound socket that does not listen answers with RST and keeps the port; Linux lets it listen again.
    ::shutdown(acceptor_.native_handle(), SHUT_RD);
    error_code ignored;
    acceptor_.cancel(ignored);
  }
  const bool opens = state == ListenState::Open && state_ != ListenState::Open;
  if (state_ != state) ++opening_;
  state_ = state;
  if (opens) {
    listen();
    accept();
  }
}

void Listener::accept() {
  acceptor_.async_accept(
      io_.get_executor(), [this, opening = opening_](const error_code& error, Session::Socket socket) {
        if (error == asio::error::operation_aborted || opening != opening_) return;
        if (!error) accepted_(std::move(socket));
        if (!error || error == asio::error::connection_aborted) {
          accept();
        } else {
          accept_after(accept_retry);  // no descriptors or memory: the client still waits, trying at once would spin
        }
      });
}

void Listener::accept_after(std::chrono::milliseconds delay) {
  retry_.expires_after(delay);
  retry_.async_wait([this, opening = opening_](const error_code& error) {
    if (!error && opening == opening_) accept();
  });
}

std::string Listener::host() const {
  const asio::ip::address& address = endpoint_.address();
  if (address.is_v6()) return address.is_unspecified() ? "[::1]" : fmt::format("[{}]", address.to_string());
  return address.is_unspecified() ? "127.0.0.1" : address.to_string();
}

std::string Listener::address() const { return fmt::format("{}:{}", host(), endpoint_.port()); }

}  // namespace server
