// What a session's bytes go through: a socket as it is, or TLS on one. Never blocks; knows no message.
#pragma once

#include <sys/uio.h>

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "server/tls.h"

namespace server {

class Transport {
 public:
  // Blocked: not now, the socket has to become readable (or writable) first.
  enum class Status { Done, Blocked, Ended, Failed };
  struct Transfer {
    Status status = Status::Done;
    std::size_t bytes = 0;  // if Done: at least one
  };

  virtual ~Transport() = default;
  // What must be said before anything is read or written.
  enum class Readiness { Ready, WaitsToRead, WaitsToWrite, Failed };
  virtual Readiness greet() { return Readiness::Ready; }
  // Why greet() failed, or why the client is turned away after it; empty: it is not.
  virtual std::string objection() const { return {}; }
  // Of the client's certificate; empty: none.
  virtual std::string subject() const { return {}; }

  virtual Transfer read(std::span<std::byte> into) = 0;
  // Gathers from the pieces; what was taken may end anywhere.
  virtual Transfer write(std::span<const iovec> pieces) = 0;
  // Whether read() has something to say that the socket no longer has.
  virtual bool holds_bytes() const { return false; }
  // Where bytes may go while nobody asks for them; took() is told what a read put there. Empty: they have to stay in the
  // socket. (asio waits for a read without a system call, and for mere readiness with one.)
  virtual std::span<std::byte> head() { return {}; }
  virtual void took(const boost::system::error_code& /*error*/, std::size_t /*bytes*/) {}
  // Tells the peer that nothing more will come, where there are words for that.
  virtual void say_goodbye() {}
};

std::unique_ptr<Transport> plain_transport(int socket);
std::unique_ptr<Transport> tls_transport(const TlsContext& context, int socket);

}  // namespace server
