// One client's socket: reads when there is something, writes what it is given strictly in order, closes in three ways.
// Knows no message: bytes in, payloads out.
//
// A write is tried at once and waits only when the socket is full. What is read goes through one buffer that all sessions
// share; of its own a session has the small head of its transport.
#pragma once

#include <sys/uio.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "emulator/effect.h"
#include "emulator/input.h"
#include "server/transport.h"
#include "wire/payload.h"

namespace server {

// Reading and writing in all sessions of a thread go through these.
struct SharedBuffers {
  static constexpr std::size_t read_bytes = 256 * 1024;
  std::unique_ptr<std::byte[]> read = std::make_unique<std::byte[]>(read_bytes);
  std::array<iovec, wire::PayloadReader::pieces_max> pieces;
};

class Session;

// Who is told what happens on a socket. Only received() and settle() may step the core: the other two are called while
// effects are applied.
class SessionOwner {
 public:
  virtual ~SessionOwner() = default;
  // Bytes arrived; they are valid during the call.
  virtual void received(Session& session, std::span<const std::byte> bytes) = 0;
  // Bytes left: deliveries became complete, or less waits to be written.
  virtual void progressed(const emulator::Written& written) = 0;
  // The socket is closed; the session says nothing more.
  virtual void ended(const emulator::Closed& closed) = 0;
  // What was progressed or ended outside a step can be told now.
  virtual void settle() = 0;
};

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

  // `buffers` and `owner` outlive the session.
  Session(emulator::ConnectionId id, Socket socket, SharedBuffers& buffers, SessionOwner& owner);

  // Before anything else: TLS on the socket. `greeted` is called when the client may be let in; the session ends when it may
  // not, after `refused` was told why. `context` outlives the session.
  using Greeted = std::function<void(Session& session, std::string subject)>;
  using Refused = std::function<void(const std::string& objection)>;
  void secure(const TlsContext& context, Greeted greeted, Refused refused);

  emulator::ConnectionId id() const { return id_; }
  bool is_open() const { return state_ != State::Closed; }
  std::size_t unwritten_bytes() const { return unwritten_bytes_; }

  void send(emulator::DeliveryId delivery, wire::Payload payload);
  void close(emulator::Ending ending);
  // A new session does not read until told to.
  void set_reading(emulator::ReadingState reading);

 private:
  enum class State { Greeting, Open, ClosingAfterOutbox, Closed };
  enum class WriteResult { Done, SocketFull, Failed };
  struct Delivery {
    emulator::DeliveryId id;
    wire::PayloadReader reader;
  };

  void greet();
  void wait_readable();
  void on_readable();
  void wait_writable();
  void on_writable();
  WriteResult write(wire::PayloadReader& reader);
  void report_progress();
  // With FIN, or RST for Ending::Reset.
  void finish(emulator::CloseCause cause, emulator::Ending ending = emulator::Ending::Now);

  emulator::ConnectionId id_;
  Socket socket_;
  std::unique_ptr<Transport> transport_;
  Greeted greeted_;
  Refused refused_;
  SharedBuffers& buffers_;
  SessionOwner& owner_;
  std::list<Delivery> outbox_;  // what the socket did not take yet; a list: empty, it owns nothing
  std::size_t unwritten_bytes_ = 0;
  emulator::DeliveryId last_complete_ = 0;
  State state_ = State::Open;
  emulator::ReadingState reading_ = emulator::ReadingState::Off;
  bool waits_readable_ = false;
};

}  // namespace server
