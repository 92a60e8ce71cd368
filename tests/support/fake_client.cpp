#include "tests/support/fake_client.h"

#include "wire/extended_json.h"
#include "wire/message.h"
#include "wire/overloaded.h"

namespace oplogue_test {
wire::Document json(std::string_view text) { return wire::document_from_json(text); }

Machine Machine::of(emulator::Engine& engine) {
  Machine machine;
  machine.step = [&engine](const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) {
    std::vector<emulator::Effect> made;
    std::visit(wire::Overloaded{[](const scenarios::ProcessOutput&) {}, [](const scenarios::ProcessExited&) {},
                                [&](const auto& one) { engine.step(one, now, made); }},
               input);
    for (emulator::Effect& effect : made) std::visit([&](auto& one) { effects.emplace_back(std::move(one)); }, effect);
  };
  machine.next_wake = [&engine] { return engine.next_wake(); };
  return machine;
}

Machine Machine::of(scenarios::Director& director) {
  return {[&director](const scenarios::Input& input, emulator::Now now, std::vector<scenarios::Effect>& effects) {
            director.step(input, now, effects);
          },
          [&director] { return director.next_wake(); }};
}

World::World(Machine machine, emulator::Now start) : machine_(std::move(machine)), now_(start) {}

void World::step(const scenarios::Input& input) {
  pending_.push_back(input);
  if (stepping_) return;
  stepping_ = true;
  while (!pending_.empty()) {
    const scenarios::Input next = std::move(pending_.front());
    pending_.pop_front();
    std::vector<scenarios::Effect> effects;
    machine_.step(next, now_, effects);
    for (const scenarios::Effect& effect : effects) {
      take(effect);
      if (watch) watch(effect);
    }
  }
  stepping_ = false;
}

void World::take(const scenarios::Effect& effect) {
  std::visit(
      wire::Overloaded{[&](const emulator::Send& send) {
                         const auto id = static_cast<std::uint64_t>(send.connection);
                         sent_[id] += send.payload.flatten();
                         pending_.emplace_back(emulator::Written{send.connection, send.delivery, 0});
                       },
                       [&](const emulator::Close& close) {
                         endings_[static_cast<std::uint64_t>(close.connection)] = close.ending;
                         pending_.emplace_back(emulator::Closed{close.connection, emulator::CloseCause::ByServer});
                       },
                       [](const emulator::Reading&) {}, [](const emulator::Listen&) {},
                       [&](const scenarios::StartProcess& start) { starts_.push_back(start); },
                       [&](const scenarios::StopProcess& stop) { stops_.push_back(stop); },
                       [&](const scenarios::Ready& ready) { ready_ = ready; },
                       [&](const scenarios::ScriptFailed& script) { script_failed_ = script; },
                       [&](const scenarios::Finished& finished) { finished_ = finished; }},
      effect);
}

void World::input(const scenarios::Input& input) { step(input); }
void World::listen(std::uint16_t member) {
  step(emulator::Listening{static_cast<emulator::MemberId>(member), "127.0.0.1",
                           static_cast<std::uint16_t>(27017 + member)});
}
void World::open(std::uint64_t connection, std::uint16_t member) {
  step(emulator::Opened{static_cast<emulator::ConnectionId>(connection), static_cast<emulator::MemberId>(member),
                        "127.0.0.1:50000", "127.0.0.1:" + std::to_string(27017 + member)});
}
void World::close(std::uint64_t connection) {
  step(emulator::Closed{static_cast<emulator::ConnectionId>(connection), emulator::CloseCause::ByClient});
}
void World::send_bytes(std::uint64_t connection, std::string_view bytes) {
  step(emulator::Received{static_cast<emulator::ConnectionId>(connection), std::as_bytes(std::span(bytes))});
}

std::int32_t World::send_cut(std::uint64_t connection, wire::DocumentView command, std::size_t cut_at) {
  const std::int32_t id = next_request_++;
  const std::string bytes = wire::encode_op_msg(id, 0, 0, wire::Payload(wire::Document(command))).flatten();
  const std::string_view view = bytes;
  if (cut_at == 0 || cut_at >= view.size()) {
    send_bytes(connection, view);
  } else {
    send_bytes(connection, view.substr(0, cut_at));
    send_bytes(connection, view.substr(cut_at));
  }
  return id;
}
std::int32_t World::send(std::uint64_t connection, wire::DocumentView command) {
  return send_cut(connection, command, 0);
}

void World::tick(std::chrono::nanoseconds duration) {
  const emulator::RealTime end = now_.real + duration;
  for (;;) {
    const auto due = machine_.next_wake();
    if (!due || *due > end) break;
    const emulator::RealTime passed = std::max(*due, now_.real) - now_.real;
    now_.real += passed;
    now_.system += std::chrono::duration_cast<std::chrono::milliseconds>(passed);
    step(emulator::Woken{});
    const auto again = machine_.next_wake();
    if (again && *again <= *due && passed.count() == 0) now_.real += std::chrono::milliseconds(1);
  }
  now_.system += std::chrono::duration_cast<std::chrono::milliseconds>(end - now_.real);
  now_.real = std::max(now_.real, end);
}

wire::Document World::ask(std::uint64_t connection, std::string_view command) {
  send(connection, json(command));
  return take_reply(connection).value_or(wire::Document());
}

bool World::has_reply(std::uint64_t connection) const {
  const auto sent = sent_.find(connection);
  const auto read = read_.find(connection);
  return sent != sent_.end() && sent->second.size() >= (read == read_.end() ? 0 : read->second) + wire::header_bytes;
}

std::optional<wire::Document> World::take_reply(std::uint64_t connection) {
  if (!has_reply(connection)) return std::nullopt;
  const std::string& all = sent_[connection];
  std::size_t& at = read_[connection];
  const auto bytes = std::as_bytes(std::span(all)).subspan(at);
  const auto length = static_cast<std::size_t>(wire::read_header(bytes).length_bytes);
  if (bytes.size() < length) return std::nullopt;
  const std::string frame = all.substr(at, length);
  at += length;
  const wire::Message message = wire::decode_message(std::as_bytes(std::span(frame)));
  return wire::Document(message.op_msg()->body);
}

std::optional<emulator::Ending> World::ending(std::uint64_t connection) const {
  const auto found = endings_.find(connection);
  return found == endings_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace oplogue_test
