#include "server/session.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace server {

using boost::system::error_code;
using emulator::CloseCause;
using emulator::Ending;
using emulator::ReadingState;

namespace {

// Closing a socket with unread bytes in it sends RST, which can destroy what the client has not read yet: the FIN that
// was asked for needs an empty receive queue.
void discard_received(int socket, SharedBuffers& buffers) {
  while (::recv(socket, buffers.read.get(), SharedBuffers::read_bytes, MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

Session::Session(emulator::ConnectionId id, Socket socket, SharedBuffers& buffers, SessionOwner& owner)
    : id_(id), socket_(std::move(socket)), buffers_(buffers), owner_(owner) {
  error_code ignored;  // a socket that was reset already is found out by its first read
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  socket_.non_blocking(true, ignored);
}

void Session::set_reading(ReadingState reading) {
  reading_ = reading;
  if (reading == ReadingState::On && state_ == State::Open && !waits_readable_) wait_readable();
}

void Session::wait_readable() {
  waits_readable_ = true;
  socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const error_code& error) {
    self->waits_readable_ = false;
    if (!error) self->on_readable();
  });
}

void Session::on_readable() {
  if (state_ != State::Open || reading_ == ReadingState::Off) return;
  const ssize_t got = ::recv(socket_.native_handle(), buffers_.read.get(), SharedBuffers::read_bytes, MSG_DONTWAIT);
  if (got > 0) {
    owner_.received(*this, {buffers_.read.get(), static_cast<std::size_t>(got)});
  } else if (got == 0) {
    finish(CloseCause::ByClient);
    owner_.settle();
  } else if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
    finish(CloseCause::Failed);
    owner_.settle();
  }
  if (state_ == State::Open && reading_ == ReadingState::On && !waits_readable_) wait_readable();
}

void Session::send(emulator::DeliveryId delivery, wire::Payload payload) {
  if (state_ != State::Open) return;
  wire::PayloadReader reader(std::move(payload));
  unwritten_bytes_ += reader.left_bytes();
  if (!outbox_.empty()) {
    outbox_.push_back({delivery, std::move(reader)});
    report_progress();
    return;
  }
  switch (write(reader)) {
    case WriteResult::Done:
      last_complete_ = delivery;
      report_progress();
      return;
    case WriteResult::SocketFull:
      outbox_.push_back({delivery, std::move(reader)});
      report_progress();
      wait_writable();
      return;
    case WriteResult::Failed:
      finish(CloseCause::Failed);
      return;
  }
}

Session::WriteResult Session::write(wire::PayloadReader& reader) {
  while (!reader.done()) {
    msghdr message{};
    message.msg_iov = buffers_.pieces.data();
    message.msg_iovlen = reader.pieces(buffers_.pieces);
    const ssize_t sent = ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      reader.consume(static_cast<std::size_t>(sent));
      unwritten_bytes_ -= static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return WriteResult::SocketFull;
    } else if (errno != EINTR) {
      return WriteResult::Failed;
    }
  }
  return WriteResult::Done;
}

void Session::wait_writable() {
  socket_.async_wait(Socket::wait_write, [self = shared_from_this()](const error_code& error) {
    if (!error) self->on_writable();
  });
}

void Session::on_writable() {
  if (state_ == State::Closed) return;
  while (!outbox_.empty()) {
    const WriteResult result = write(outbox_.front().reader);
    if (result == WriteResult::Failed) {
      finish(CloseCause::Failed);
      owner_.settle();
      return;
    }
    if (result == WriteResult::SocketFull) break;
    last_complete_ = outbox_.front().id;
    outbox_.pop_front();
  }
  report_progress();
  if (!outbox_.empty()) {
    wait_writable();
  } else if (state_ == State::ClosingAfterOutbox) {
    finish(CloseCause::ByServer);
  }
  owner_.settle();
}

void Session::report_progress() {
  owner_.progressed({.connection = id_, .last_complete = last_complete_, .unwritten_bytes = unwritten_bytes_});
}

void Session::close(Ending ending) {
  if (state_ == State::Closed) return;
  if (ending == Ending::AfterOutbox && !outbox_.empty()) {
    state_ = State::ClosingAfterOutbox;
    return;
  }
  finish(CloseCause::ByServer, ending);
}

void Session::finish(CloseCause cause, Ending ending) {
  state_ = State::Closed;
  outbox_.clear();
  unwritten_bytes_ = 0;
  error_code ignored;  // whatever the socket says, it is closed
  if (ending == Ending::Reset) {
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  } else {
    socket_.shutdown(Socket::shutdown_send, ignored);
    discard_received(socket_.native_handle(), buffers_);
  }
  socket_.close(ignored);
  owner_.ended({.connection = id_, .cause = cause});
}

}  // namespace server
