#include "server/host.h"

#include <fmt/format.h>

#include <cstdio>
#include <limits>
#include <utility>

#include "server/clock.h"
#include "server/start_error.h"

namespace server {

namespace asio = boost::asio;
using boost::system::error_code;
using emulator::ConnectionId;
using emulator::ListenState;
using emulator::MemberId;

Host::Host(asio::io_context& io, Core& core, TrialShell& shell, const HostOptions& options, std::size_t member_count)
    : io_(io),
      core_(core),
      shell_(shell),
      bind_address_(resolve_bind_address(io, options.bind)),
      first_port_(options.port),
      connections_max_(options.connections_max),
      timer_(io) {
  if (options.tls) tls_.emplace(*options.tls);
  for (std::size_t member = 0; member < member_count; ++member)
    add_listener(MemberId{static_cast<std::uint16_t>(member)});
}

Listener& Host::add_listener(MemberId member) {
  const std::size_t port = first_port_ == 0 ? 0 : first_port_ + static_cast<std::size_t>(member);
  if (port > std::numeric_limits<std::uint16_t>::max()) {
    throw StartError(fmt::format("--port {}: member {} would need port {}, and 65535 is the last", first_port_,
                                 static_cast<unsigned>(member) + 1, port));
  }
  auto listener =
      std::make_unique<Listener>(io_, asio::ip::tcp::endpoint(bind_address_, static_cast<std::uint16_t>(port)),
                                 [this, member](Session::Socket socket) { accept(member, std::move(socket)); });
  return *(listeners_[member] = std::move(listener));
}

void Host::start() {
  phase_ = Phase::Serving;
  for (const auto& [member, listener] : listeners_) {
    step(emulator::Listening{.member = member, .host = listener->host(), .port = listener->port()});
  }
  for (const auto& [member, listener] : listeners_) listener->set_state(ListenState::Open);
}

void Host::stop() {
  phase_ = Phase::Stopped;
  timer_.cancel();
  listeners_.clear();
  for (const auto& [id, session] : sessions_) session->close(emulator::Ending::Now);
  sessions_.clear();
  notices_.clear();
}

std::vector<std::string> Host::addresses() const {
  std::vector<std::string> addresses;
  for (const auto& [member, listener] : listeners_) addresses.push_back(listener->address());
  return addresses;
}

void Host::accept(MemberId member, Session::Socket socket) {
  error_code peer_error;
  error_code local_error;
  const auto peer = socket.remote_endpoint(peer_error);
  const auto local = socket.local_endpoint(local_error);
  if (peer_error || local_error) return;  // gone before it was noticed
  if (sessions_.size() >= connections_max_) {
    ++refused_count_;
    return;
  }
  const ConnectionId id{next_connection_++};
  const auto session = std::make_shared<Session>(id, std::move(socket), buffers_, static_cast<SessionOwner&>(*this));
  sessions_.emplace(static_cast<std::uint64_t>(id), session);
  emulator::Opened opened{
      .connection = id, .member = member, .peer = endpoint_text(peer), .local = endpoint_text(local), .subject = {}};
  if (!tls_) return let_in(*session, std::move(opened));
  session->secure(
      *tls_,
      [this, opened](Session& greeted, std::string subject) mutable {
        opened.subject = std::move(subject);
        let_in(greeted, std::move(opened));
      },
      [who = opened.peer](const std::string& objection) {
        fmt::print(stderr, "oplogue: TLS with {} failed: {}\n", who, objection);
      });
}

void Host::let_in(Session& session, emulator::Opened opened) {
  step(opened);
  if (phase_ == Phase::Serving && session.is_open()) session.set_reading(emulator::ReadingState::On);
}

void Host::step(const scenarios::Input& input) {
  step_once(input);
  settle();
}

void Host::perform(const Action& action) {
  action(now(), effects_);
  apply_effects();
  settle();
}

void Host::step_once(const scenarios::Input& input) {
  core_.step(input, now(), effects_);
  apply_effects();
}

void Host::apply_effects() {
  for (scenarios::Effect& effect : effects_) {
    std::visit([this](auto& what) { apply(what); }, effect);
  }
  effects_.clear();
}

void Host::settle() {
  // Notices lead to effects and those to further notices: the vector grows while it is walked.
  for (std::size_t next = 0; next < notices_.size(); ++next) {
    const scenarios::Input notice = std::move(notices_[next]);
    step_once(notice);
    if (const auto* closed = std::get_if<emulator::Closed>(&notice)) {
      sessions_.erase(static_cast<std::uint64_t>(closed->connection));
    }
  }
  notices_.clear();
  if (phase_ == Phase::Serving) arm_timer();
}

void Host::received(Session& session, std::span<const std::byte> bytes) {
  receiving_ = &session;
  step_once(emulator::Received{.connection = session.id(), .bytes = bytes});
  settle();
  receiving_ = nullptr;
}

void Host::progressed(const emulator::Written& written) { notices_.emplace_back(written); }

void Host::ended(const emulator::Closed& closed) { notices_.emplace_back(closed); }

Session* Host::find_session(ConnectionId id) {
  if (receiving_ && receiving_->id() == id) return receiving_;
  const auto found = sessions_.find(static_cast<std::uint64_t>(id));
  return found == sessions_.end() ? nullptr : found->second.get();
}

// A connection that effects name may be gone: its Closed is a notice that the core has not heard yet.
void Host::apply(emulator::Send& send) {
  if (Session* session = find_session(send.connection)) session->send(send.delivery, std::move(send.payload));
}

void Host::apply(const emulator::Close& close) {
  if (Session* session = find_session(close.connection)) session->close(close.ending);
}

void Host::apply(const emulator::Reading& reading) {
  if (Session* session = find_session(reading.connection)) session->set_reading(reading.state);
}

void Host::apply(const emulator::Listen& listen) {
  const auto found = listeners_.find(listen.member);
  if (found != listeners_.end()) {
    found->second->set_state(listen.state);
    return;
  }
  // A member that joined.
  Listener& listener = add_listener(listen.member);
  listener.set_state(listen.state);
  notices_.emplace_back(emulator::Listening{.member = listen.member, .host = listener.host(), .port = listener.port()});
}

// Moves the timer only to an earlier time: one that comes too early finds nothing due and is set anew, which costs less
// than moving it on every step.
void Host::arm_timer() {
  const std::optional<emulator::RealTime> wake = core_.next_wake();
  if (!wake || (timer_due_ && *timer_due_ <= *wake)) return;
  timer_due_ = wake;
  timer_.expires_at(instant(*wake));
  timer_.async_wait([this](const error_code& error) {
    if (error || phase_ != Phase::Serving) return;
    timer_due_.reset();
    const std::optional<emulator::RealTime> due = core_.next_wake();
    if (due && *due <= now().real) {
      step(emulator::Woken{});
    } else {
      arm_timer();
    }
  });
}

}  // namespace server
