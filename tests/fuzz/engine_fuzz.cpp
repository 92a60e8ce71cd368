// A client that sends anything, in pieces, while time goes on: the Engine never breaks, and what it sends is whole messages.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "wire/frame_reader.h"

namespace {

using emulator::ConnectionId;

// What the client has received, cut into messages: a reply that is none is a bug.
class Client {
 public:
  explicit Client(emulator::Engine& engine) : engine_(engine) {}

  void step(const emulator::Input& input, emulator::Now now) {
    std::vector<emulator::Effect> effects;
    engine_.step(input, now, effects);
    for (const emulator::Effect& effect : effects) {
      if (const auto* send = std::get_if<emulator::Send>(&effect)) {
        received_ += send->payload.flatten();
        last_delivery_ = send->delivery;
      }
      if (std::holds_alternative<emulator::Close>(effect)) closed_ = true;
    }
    read();
  }

  bool closed() const { return closed_; }
  emulator::DeliveryId last_delivery() const { return last_delivery_; }

 private:
  void read() {
    wire::FrameReader reader;
    reader.push(std::as_bytes(std::span(received_)));
    while (const auto frame = reader.next()) wire::decode_message(*frame);
    received_.clear();
  }

  emulator::Engine& engine_;
  std::string received_;
  emulator::DeliveryId last_delivery_ = 0;
  bool closed_ = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  emulator::Now now{std::chrono::seconds(1), emulator::SystemTime(std::chrono::seconds(1796035754))};
  emulator::DeploymentSpec spec;
  spec.profile = "mongodb-6.0";
  spec.held_clock = now.system;
  emulator::Engine engine(spec, now, nullptr);
  Client client(engine);
  client.step(emulator::Listening{emulator::MemberId{0}, "127.0.0.1", 27017}, now);
  client.step(emulator::Opened{ConnectionId{1}, emulator::MemberId{0}, "127.0.0.1:9", "127.0.0.1:27017"}, now);
  // The first byte says how large the pieces are.
  const std::size_t piece = data[0] == 0 ? size : std::size_t{data[0]} * 8;
  for (std::size_t at = 1; at < size && !client.closed(); at += piece) {
    const std::span<const std::uint8_t> bytes(data + at, std::min(piece, size - at));
    client.step(emulator::Received{ConnectionId{1}, std::as_bytes(bytes)}, now);
    client.step(emulator::Written{ConnectionId{1}, client.last_delivery(), 0}, now);
    now.real += std::chrono::milliseconds(300);
    client.step(emulator::Woken{}, now);
  }
  client.step(emulator::Closed{ConnectionId{1}, emulator::CloseCause::ByClient}, now);
  if (!engine.waiting().empty() || !engine.connections().empty()) std::abort();
  return 0;
}
