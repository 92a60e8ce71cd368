#include "tests/support/in_process_server.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "wire/header.h"

namespace support {
namespace {

using namespace std::chrono_literals;
using emulator::ConnectionId;

// 2026-02-03T04:05:06Z; no golden holds a date near it.
constexpr emulator::SystemTime start_of_time{1'770'091'506'000ms};
// As a server that has been up for a while: its first entries are older than anything a test can mean.
constexpr auto time_up = 60s;
constexpr int wakes_without_progress_max = 10'000;

}  // namespace

InProcessServer::InProcessServer(emulator::DeploymentSpec spec)
    : now_{.real = 1s, .system = start_of_time}, engine_(std::move(spec), now_, nullptr) {
  step(emulator::Listening{.member = emulator::MemberId{0}, .host = "127.0.0.1", .port = 27017});
  let_pass(time_up);
}

ConnectionId InProcessServer::connect() {
  const ConnectionId id{next_connection_};
  clients_[id];
  step(emulator::Opened{.connection = id,
                        .member = emulator::MemberId{0},
                        .peer = "127.0.0.1:" + std::to_string(50'000 + next_connection_ % 10'000),
                        .local = std::string(address)});
  ++next_connection_;
  return id;
}

void InProcessServer::close(ConnectionId connection) {
  const auto at = clients_.find(connection);
  if (at == clients_.end()) return;
  const bool open = !at->second.closed;
  clients_.erase(at);
  if (open) step(emulator::Closed{.connection = connection, .cause = emulator::CloseCause::ByClient});
}

void InProcessServer::send(ConnectionId connection, std::string_view bytes) {
  let_pass(1ms);
  Client& client = clients_.at(connection);
  if (client.closed) return;
  if (client.reading == emulator::ReadingState::Off) {
    client.held_back += bytes;
    return;
  }
  step(emulator::Received{.connection = connection, .bytes = std::as_bytes(std::span(bytes))});
}

std::variant<std::string, Silence> InProcessServer::receive(ConnectionId connection,
                                                            std::chrono::milliseconds patience) {
  Client& client = clients_.at(connection);
  const emulator::RealTime until = now_.real + patience;
  for (;;) {
    if (std::optional<std::string> message = take_message(client)) return *std::move(message);
    if (client.closed) return Silence::ConnectionClosed;
    if (!wake(until)) break;
  }
  let_pass(until - now_.real);
  return Silence::TimedOut;
}

void InProcessServer::let_pass(std::chrono::nanoseconds time) {
  const emulator::RealTime until = now_.real + time;
  while (wake(until)) {
  }
  now_.system += std::chrono::duration_cast<std::chrono::milliseconds>(until - now_.real);
  now_.real = until;
}

bool InProcessServer::wake(emulator::RealTime until) {
  const std::optional<emulator::RealTime> due = engine_.next_wake();
  if (!due || *due > until) return false;
  // Whole milliseconds, so that both times stay in step.
  const auto step_ms =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(*due - now_.real, emulator::RealTime::zero()));
  wakes_without_progress_ = step_ms == 0ms ? wakes_without_progress_ + 1 : 0;
  if (wakes_without_progress_ > wakes_without_progress_max)
    throw std::logic_error("the engine asks to be woken again and again at the same time");
  now_.real += step_ms;
  now_.system += step_ms;
  step(emulator::Woken{});
  return true;
}

void InProcessServer::step(const emulator::Input& input) {
  notices_.push_back(input);
  for (std::size_t next = 0; next < notices_.size(); ++next) {
    std::vector<emulator::Effect> effects;
    engine_.step(emulator::Input(notices_[next]), now_, effects);
    for (const emulator::Effect& effect : effects) std::visit([this](const auto& what) { apply(what); }, effect);
  }
  notices_.clear();
}

void InProcessServer::apply(const emulator::Send& send) {
  const auto at = clients_.find(send.connection);
  if (at == clients_.end() || at->second.closed) return;
  at->second.received += send.payload.flatten();
  notices_.emplace_back(
      emulator::Written{.connection = send.connection, .last_complete = send.delivery, .unwritten_bytes = 0});
}

void InProcessServer::apply(const emulator::Close& close) {
  const auto at = clients_.find(close.connection);
  if (at == clients_.end() || at->second.closed) return;
  at->second.closed = true;
  notices_.emplace_back(emulator::Closed{.connection = close.connection, .cause = emulator::CloseCause::ByServer});
}

void InProcessServer::apply(const emulator::Reading& reading) {
  const auto at = clients_.find(reading.connection);
  if (at == clients_.end()) return;
  Client& client = at->second;
  client.reading = reading.state;
  if (reading.state == emulator::ReadingState::Off || client.held_back.empty()) return;
  // Handed over whole and at once: the bytes must outlive the step.
  const std::string bytes = std::exchange(client.held_back, {});
  std::vector<emulator::Effect> effects;
  engine_.step(emulator::Received{.connection = reading.connection, .bytes = std::as_bytes(std::span(bytes))}, now_,
               effects);
  for (const emulator::Effect& effect : effects) std::visit([this](const auto& what) { apply(what); }, effect);
}

// One member, always reachable.
void InProcessServer::apply(const emulator::Listen&) {}

std::optional<std::string> InProcessServer::take_message(Client& client) {
  std::uint32_t length = 0;
  if (client.received.size() < wire::header_bytes) return std::nullopt;
  std::memcpy(&length, client.received.data(), sizeof length);
  if (client.received.size() < length) return std::nullopt;
  std::string message = client.received.substr(0, length);
  client.received.erase(0, length);
  return message;
}

}  // namespace support
