// One blocking socket that speaks OP_MSG, as cheaply as a client can: what it costs is part of every figure. Knows no
// commands and does not check what it reads beyond what it needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "wire/document.h"

namespace bench {

struct Address {
  std::string host;  // an IPv4 address
  std::uint16_t port = 0;
};

// A whole message, ready to be sent any number of times.
using Request = std::string;

// Its body alone; the request id is 1 for ever, as nothing here has two requests of one connection in flight that differ.
Request request(wire::DocumentView body);
// The body and one section of kind 1: `documents` are whole documents, one behind the other.
Request request(wire::DocumentView body, std::string_view identifier, std::string_view documents);

// A reply in its connection's buffer: valid until the connection receives again.
struct Reply {
  wire::DocumentView body;
  std::size_t message_bytes = 0;
};

// Of a whole message that is known to be a reply.
Reply read_reply(std::string_view message);

class Connection {
 public:
  // Throws std::system_error.
  explicit Connection(const Address& address);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void send(std::string_view bytes);
  // The next reply. Throws std::runtime_error with the reply when its `ok` is not 1.
  Reply receive();
  Reply run(const Request& message) {
    send(message);
    return receive();
  }
  // Exactly so many bytes, of no message.
  void receive_raw(char* out, std::size_t bytes);
  int descriptor() const { return descriptor_; }

 private:
  void fill(std::size_t bytes);

  int descriptor_;
  // buffer_[begin_, end_) was received and not yet given out.
  std::unique_ptr<std::uint8_t[]> buffer_;
  std::size_t capacity_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// A loopback listener on a port that the system chose.
class Listener {
 public:
  Listener();
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  Address address() const;
  // The next client's descriptor; the caller closes it.
  int accept() const;

 private:
  int descriptor_;
};

// Writes all of it to a blocking socket. Throws std::system_error.
void write_all(int descriptor, std::string_view bytes);

}  // namespace bench
