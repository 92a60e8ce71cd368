#include "server/transport.h"

#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

namespace server {

namespace {

bool is_full_or_empty() { return errno == EAGAIN || errno == EWOULDBLOCK; }

class Plain final : public Transport {
 public:
  explicit Plain(int socket) : socket_(socket) {}

  // What a full head leaves in the socket follows it in the same read.
  Transfer read(std::span<std::byte> into) override {
    const std::size_t taken = std::exchange(head_bytes_, 0);
    std::memcpy(into.data(), head_.data(), taken);
    if (taken > 0 && taken < head_.size()) return {Status::Done, taken};
    if (ending_ != Status::Done) return {ending_, 0};
    const ssize_t got = ::recv(socket_, into.data() + taken, into.size() - taken, MSG_DONTWAIT);
    if (got > 0) return {Status::Done, taken + static_cast<std::size_t>(got)};
    if (got < 0 && (is_full_or_empty() || errno == EINTR)) return {taken > 0 ? Status::Done : Status::Blocked, taken};
    ending_ = got == 0 ? Status::Ended : Status::Failed;
    return {taken > 0 ? Status::Done : ending_, taken};
  }

  bool holds_bytes() const override { return head_bytes_ > 0 || ending_ != Status::Done; }
  std::span<std::byte> head() override { return head_; }
  void took(const boost::system::error_code& error, std::size_t bytes) override {
    head_bytes_ = bytes;
    if (error) ending_ = error == boost::asio::error::eof ? Status::Ended : Status::Failed;
  }

  Transfer write(std::span<const iovec> pieces) override {
    constexpr int flags = MSG_NOSIGNAL | MSG_DONTWAIT;
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces.data());  // sendmsg does not write through it
    message.msg_iovlen = pieces.size();
    for (;;) {
      // One piece, which most replies are, costs the kernel less by send.
      const ssize_t sent = pieces.size() == 1 ? ::send(socket_, pieces[0].iov_base, pieces[0].iov_len, flags)
                                              : ::sendmsg(socket_, &message, flags);
      if (sent >= 0) return {Status::Done, static_cast<std::size_t>(sent)};
      if (errno != EINTR) return {is_full_or_empty() ? Status::Blocked : Status::Failed, 0};
    }
  }

 private:
  static constexpr std::size_t head_bytes_max = 512;  // most commands fit; an idle session owns this much

  int socket_;
  Status ending_ = Status::Done;  // why nothing more can be read
  std::size_t head_bytes_ = 0;
  std::array<std::byte, head_bytes_max> head_;
};

class Tls final : public Transport {
 public:
  Tls(const TlsContext& context, int socket)
      : context_(context), socket_(socket), connection_(context.connection(socket)) {}

  Readiness greet() override {
    // A client that speaks in clear is sent nothing, not even TLS's word for its mistake.
    if (!speaks_tls_) {
      std::uint8_t first = 0;
      const ssize_t got = ::recv(socket_, &first, 1, MSG_PEEK | MSG_DONTWAIT);
      if (got < 0 && is_full_or_empty()) return Readiness::WaitsToRead;
      speaks_tls_ = got == 1 && first == handshake_record;
      if (!speaks_tls_) {
        fault_ = got == 1 ? "the client does not speak TLS" : "the client hung up before the handshake";
        return Readiness::Failed;
      }
    }
    ERR_clear_error();
    const int done = SSL_do_handshake(connection_.get());
    if (done == 1) return Readiness::Ready;
    switch (SSL_get_error(connection_.get(), done)) {
      case SSL_ERROR_WANT_READ:
        return Readiness::WaitsToRead;
      case SSL_ERROR_WANT_WRITE:
        return Readiness::WaitsToWrite;
      default:
        fault_ = tls_error();
        if (fault_.empty()) fault_ = "the client hung up during the handshake";
        return Readiness::Failed;
    }
  }

  std::string objection() const override { return fault_.empty() ? context_.objection(*connection_) : fault_; }
  std::string subject() const override { return client_subject(*connection_); }

  // A record is 16 KiB at most: as many as there are, or as fit.
  Transfer read(std::span<std::byte> into) override {
    std::size_t total = 0;
    while (total < into.size()) {
      ERR_clear_error();
      std::size_t got = 0;
      if (SSL_read_ex(connection_.get(), into.data() + total, into.size() - total, &got) == 1) {
        total += got;
        continue;
      }
      if (total > 0) break;  // what ended the reading comes again
      return {status_of(SSL_get_error(connection_.get(), 0)), 0};
    }
    return {Status::Done, total};
  }

  Transfer write(std::span<const iovec> pieces) override {
    // One record of what would be many small ones.
    std::array<std::byte, record_bytes_max> record;
    std::size_t filled = 0;
    for (const iovec& piece : pieces) {
      const std::size_t taken = std::min(piece.iov_len, record.size() - filled);
      std::memcpy(record.data() + filled, piece.iov_base, taken);
      filled += taken;
      if (filled == record.size()) break;
    }
    ERR_clear_error();
    std::size_t sent = 0;
    if (SSL_write_ex(connection_.get(), record.data(), filled, &sent) == 1) return {Status::Done, sent};
    const Status status = status_of(SSL_get_error(connection_.get(), 0));
    return {status == Status::Ended ? Status::Failed : status, 0};
  }

  bool holds_bytes() const override { return SSL_pending(connection_.get()) > 0; }
  void say_goodbye() override {
    ERR_clear_error();
    if (fault_.empty() && SSL_is_init_finished(connection_.get())) SSL_shutdown(connection_.get());
  }

 private:
  static constexpr std::size_t record_bytes_max = 16 * 1024;
  static constexpr std::uint8_t handshake_record = 22;  // the first byte of every TLS conversation

  static Status status_of(int error) {
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) return Status::Blocked;
    return error == SSL_ERROR_ZERO_RETURN ? Status::Ended : Status::Failed;
  }

  const TlsContext& context_;
  int socket_;
  bool speaks_tls_ = false;
  std::shared_ptr<SSL> connection_;
  std::string fault_;
};

}  // namespace

std::unique_ptr<Transport> plain_transport(int socket) { return std::make_unique<Plain>(socket); }

std::unique_ptr<Transport> tls_transport(const TlsContext& context, int socket) {
  return std::make_unique<Tls>(context, socket);
}

}  // namespace server
