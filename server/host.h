// Carries a core: gives it what happens on sockets and timers, does what it asks for. One thread, one timer, any number
// of members and connections. Knows no message.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/core.h"
#include "server/listener.h"
#include "server/session.h"
#include "server/tls.h"

namespace server {

struct HostOptions {
  std::string bind = "127.0.0.1";
  std::uint16_t port = 0;  // of the first member, the others follow; 0: the kernel picks each
  std::size_t connections_max = 20'000;
  std::optional<TlsOptions> tls{};  // nullopt: clients speak in clear
};

class Host final : SessionOwner {
 public:
  using Action = std::function<void(emulator::Now now, std::vector<scenarios::Effect>& effects)>;

  // `core` and `shell` outlive the host. Takes the ports of `member_count` members; nobody can connect yet. Throws
  // StartError.
  Host(boost::asio::io_context& io, Core& core, TrialShell& shell, const HostOptions& options,
       std::size_t member_count);

  // Tells the core its addresses and lets clients in. Throws StartError.
  void start();
  // Closes every connection and gives up the ports; the core is told nothing more.
  void stop();

  // host:port of each member, in their order.
  std::vector<std::string> addresses() const;
  std::size_t connection_count() const { return sessions_.size(); }
  // Connections that were closed at once because connections_max were open.
  std::uint64_t refused_count() const { return refused_count_; }

  // Gives the core an input and does what it says, until nothing is left to say.
  void step(const scenarios::Input& input);
  // The same for what is no input: `action` is called with the time and says what to do.
  void perform(const Action& action);

 private:
  // SessionOwner
  void received(Session& session, std::span<const std::byte> bytes) override;
  void progressed(const emulator::Written& written) override;
  void ended(const emulator::Closed& closed) override;
  void settle() override;

  Listener& add_listener(emulator::MemberId member);
  void accept(emulator::MemberId member, Session::Socket socket);
  void let_in(Session& session, emulator::Opened opened);
  void step_once(const scenarios::Input& input);
  void apply_effects();
  void apply(emulator::Send& send);
  void apply(const emulator::Close& close);
  void apply(const emulator::Reading& reading);
  void apply(const emulator::Listen& listen);
  void apply(const scenarios::StartProcess& start) { shell_.start_process(start); }
  void apply(const scenarios::StopProcess& stop) { shell_.stop_process(stop); }
  void apply(const scenarios::Ready& ready) { shell_.ready(ready); }
  void apply(const scenarios::ScriptFailed& script) { shell_.script_failed(script); }
  void apply(const scenarios::Finished& finished) { shell_.finished(finished); }
  Session* find_session(emulator::ConnectionId id);
  void arm_timer();

  boost::asio::io_context& io_;
  Core& core_;
  TrialShell& shell_;
  boost::asio::ip::address bind_address_;
  std::uint16_t first_port_;
  std::size_t connections_max_;
  std::optional<TlsContext> tls_;
  SharedBuffers buffers_;
  std::map<emulator::MemberId, std::unique_ptr<Listener>> listeners_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  Session* receiving_ = nullptr;  // whose bytes are being stepped: most effects are for it
  std::uint64_t next_connection_ = 1;
  std::uint64_t refused_count_ = 0;
  std::vector<scenarios::Effect> effects_;
  std::vector<scenarios::Input> notices_;  // what effects led to, told after them
  boost::asio::steady_timer timer_;
  std::optional<emulator::RealTime> timer_due_;
  enum class Phase { Binding, Serving, Stopped } phase_ = Phase::Binding;
};

}  // namespace server
