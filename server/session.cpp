#include "server/session.h"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
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
  transport_ = plain_transport(socket_.native_handle());
}

void Session::secure(const TlsContext& context, Greeted greeted, Refused refused) {
  state_ = State::Greeting;
  transport_ = tls_transport(context, socket_.native_handle());
  greeted_ = std::move(greeted);
  refused_ = std::move(refused);
  greet();
}

void Session::greet() {
  using Readiness = Transport::Readiness;
  if (state_ != State::Greeting) return;
  const Readiness readiness = transport_->greet();
  if (readiness == Readiness::WaitsToRead || readiness == Readiness::WaitsToWrite) {
    const auto what = readiness == Readiness::WaitsToRead ? Socket::wait_read : Socket::wait_write;
    socket_.async_wait(what, [self = shared_from_this()](const error_code& error) {
      if (!error) self->greet();
    });
    return;
  }
  const std::string objection = transport_->objection();
  if (!objection.empty()) {
    refused_(objection);
    finish(CloseCause::ByServer);
    owner_.settle();
    return;
  }
  state_ = State::Open;
  refused_ = nullptr;
  std::exchange(greeted_, nullptr)(*this, transport_->subject());
}

void Session::set_reading(ReadingState reading) {
  reading_ = reading;
  if (reading == ReadingState::On && state_ == State::Open && !waits_readable_) wait_readable();
}

void Session::wait_readable() {
  waits_readable_ = true;
  auto self = shared_from_this();
  const std::span<std::byte> head = transport_->head();
  if (transport_->holds_bytes()) {
    boost::asio::post(socket_.get_executor(), [self = std::move(self)] { self->on_readable(); });
  } else if (!head.empty()) {
    socket_.async_read_some(boost::asio::buffer(head.data(), head.size()),
                            [self = std::move(self)](const error_code& error, std::size_t bytes) {
                              self->transport_->took(error, bytes);
                              self->on_readable();
                            });
  } else {
    socket_.async_wait(Socket::wait_read, [self = std::move(self)](const error_code&) { self->on_readable(); });
  }
}

void Session::on_readable() {
  waits_readable_ = false;
  if (state_ != State::Open || reading_ == ReadingState::Off) return;
  const auto [status, got] = transport_->read({buffers_.read.get(), SharedBuffers::read_bytes});
  if (status == Transport::Status::Done) {
    owner_.received(*this, {buffers_.read.get(), got});
  } else if (status != Transport::Status::Blocked) {
    finish(status == Transport::Status::Ended ? CloseCause::ByClient : CloseCause::Failed);
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
    const std::size_t count = reader.pieces(buffers_.pieces);
    const auto [status, sent] = transport_->write({buffers_.pieces.data(), count});
    if (status == Transport::Status::Blocked) return WriteResult::SocketFull;
    if (status != Transport::Status::Done) return WriteResult::Failed;
    reader.consume(sent);
    unwritten_bytes_ -= sent;
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
  greeted_ = nullptr;
  refused_ = nullptr;
  outbox_.clear();
  unwritten_bytes_ = 0;
  error_code ignored;  // whatever the socket says, it is closed
  if (ending == Ending::Reset) {
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
  } else {
    transport_->say_goodbye();
    socket_.shutdown(Socket::shutdown_send, ignored);
    discard_received(socket_.native_handle(), buffers_);
  }
  socket_.close(ignored);
  owner_.ended({.connection = id_, .cause = cause});
}

}  // namespace server
