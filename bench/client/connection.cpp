#include "bench/client/connection.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "wire/extended_json.h"
#include "wire/header.h"

namespace bench {
namespace {

constexpr std::size_t buffer_bytes = 256 * 1024;
// Header, flag bits and the kind of the section that the body is.
constexpr std::size_t body_offset = wire::header_bytes + 4 + 1;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void append_int32(std::string& out, std::size_t value) {
  const auto number = static_cast<std::int32_t>(value);
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string opening(std::size_t message_bytes, wire::DocumentView body) {
  std::string out;
  out.reserve(message_bytes);
  append_int32(out, message_bytes);
  append_int32(out, 1);
  append_int32(out, 0);
  append_int32(out, static_cast<std::size_t>(wire::Opcode::Msg));
  append_int32(out, 0);
  out += '\0';
  out.append(reinterpret_cast<const char*>(body.data()), body.size());
  return out;
}

sockaddr_in socket_address(const Address& address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(address.port);
  if (inet_pton(AF_INET, address.host.c_str(), &out.sin_addr) != 1)
    throw std::runtime_error("\"" + address.host + "\" is no IPv4 address");
  return out;
}

void send_at_once(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool is_ok(wire::ValueView ok) {
  if (ok.is(wire::Type::Double)) return ok.as_double() == 1;
  return ok.is(wire::Type::Int32) && ok.as_int32() == 1;
}

}  // namespace

Request request(wire::DocumentView body) { return opening(body_offset + body.size(), body); }

Request request(wire::DocumentView body, std::string_view identifier, std::string_view documents) {
  const std::size_t section_bytes = 4 + identifier.size() + 1 + documents.size();
  Request out = opening(body_offset + body.size() + 1 + section_bytes, body);
  out += '\1';
  append_int32(out, section_bytes);
  out.append(identifier).append(1, '\0').append(documents);
  return out;
}

Reply read_reply(std::string_view message) {
  return {.body = wire::DocumentView(reinterpret_cast<const std::uint8_t*>(message.data()) + body_offset),
          .message_bytes = message.size()};
}

Connection::Connection(const Address& address)
    : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)),
      buffer_(std::make_unique_for_overwrite<std::uint8_t[]>(buffer_bytes)),
      capacity_(buffer_bytes) {
  if (descriptor_ < 0) fail("socket");
  const sockaddr_in to = socket_address(address);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    const int error = errno;
    ::close(descriptor_);
    errno = error;
    fail("connect");
  }
  send_at_once(descriptor_);
}

Connection::~Connection() { ::close(descriptor_); }

void Connection::send(std::string_view bytes) { write_all(descriptor_, bytes); }

void Connection::fill(std::size_t bytes) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (begin_ + bytes > capacity_) {
    const std::size_t capacity = std::max(capacity_, bytes);
    auto grown = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    std::memcpy(grown.get(), buffer_.get() + begin_, end_ - begin_);
    buffer_ = std::move(grown);
    capacity_ = capacity;
    end_ -= begin_;
    begin_ = 0;
  }
  while (end_ - begin_ < bytes) {
    const ssize_t got = ::read(descriptor_, buffer_.get() + end_, capacity_ - end_);
    if (got == 0) throw std::runtime_error("the server closed the connection");
    if (got < 0) fail("read");
    end_ += static_cast<std::size_t>(got);
  }
}

Reply Connection::receive() {
  fill(wire::header_bytes);
  std::uint32_t message_bytes;
  std::memcpy(&message_bytes, buffer_.get() + begin_, sizeof message_bytes);
  if (message_bytes <= body_offset || message_bytes > wire::message_bytes_max)
    throw std::runtime_error("the server sent a message of " + std::to_string(message_bytes) + " bytes");
  fill(message_bytes);
  const wire::DocumentView body(buffer_.get() + begin_ + body_offset);
  begin_ += message_bytes;
  if (!is_ok(body["ok"]))
    throw std::runtime_error("the server answered " + wire::to_json(body, wire::JsonForm::Relaxed));
  return {.body = body, .message_bytes = message_bytes};
}

void Connection::receive_raw(char* out, std::size_t bytes) {
  fill(bytes);
  std::memcpy(out, buffer_.get() + begin_, bytes);
  begin_ += bytes;
}

Listener::Listener() : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
  const sockaddr_in to = socket_address({.host = "127.0.0.1", .port = 0});
  if (descriptor_ < 0 || ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0 ||
      ::listen(descriptor_, 8) != 0)
    fail("listen");
}

Listener::~Listener() { ::close(descriptor_); }

Address Listener::address() const {
  sockaddr_in bound{};
  socklen_t size = sizeof bound;
  if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&bound), &size) != 0) fail("getsockname");
  return {.host = "127.0.0.1", .port = ntohs(bound.sin_port)};
}

int Listener::accept() const {
  const int client = ::accept(descriptor_, nullptr, nullptr);
  if (client < 0) fail("accept");
  send_at_once(client);
  return client;
}

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace bench
