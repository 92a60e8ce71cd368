// A client in virtual time: sends commands to an Engine or Director, takes what they answer, and lets time pass. No sockets.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/engine.h"
#include "scenarios/director.h"
#include "wire/document.h"

namespace oplogue_test {

// What is driven: an Engine or a Director.
struct Machine {
  std::function<void(const scenarios::Input&, emulator::Now, std::vector<scenarios::Effect>&)> step;
  std::function<std::optional<emulator::RealTime>()> next_wake;

  static Machine of(emulator::Engine& engine);
  static Machine of(scenarios::Director& director);
};

// Keeps time and connections; every Send is written at once, so that deliveries are told.
class World {
 public:
  explicit World(Machine machine, emulator::Now start = {});

  emulator::Now now() const { return now_; }
  void listen(std::uint16_t member = 0);
  void open(std::uint64_t connection, std::uint16_t member = 0);
  // One OP_MSG with that body; its request id is returned.
  std::int32_t send(std::uint64_t connection, wire::DocumentView command);
  // The same message in pieces that end at these offsets.
  std::int32_t send_cut(std::uint64_t connection, wire::DocumentView command, std::size_t cut_at);
  void send_bytes(std::uint64_t connection, std::string_view bytes);
  void close(std::uint64_t connection);
  void input(const scenarios::Input& input);
  // Lets time pass, waking the machine whenever it wants to be.
  void tick(std::chrono::nanoseconds duration);

  // The next reply that has come on this connection; nullopt: none.
  std::optional<wire::Document> take_reply(std::uint64_t connection);
  // Sends it, from Extended JSON, and takes its reply; an empty document where none has come.
  wire::Document ask(std::uint64_t connection, std::string_view command);
  bool has_reply(std::uint64_t connection) const;
  // How the machine ended it; nullopt: it did not.
  std::optional<emulator::Ending> ending(std::uint64_t connection) const;
  // All bytes that were sent on it.
  const std::string& bytes(std::uint64_t connection) { return sent_[connection]; }
  const std::vector<scenarios::StartProcess>& starts() const { return starts_; }
  const std::vector<scenarios::StopProcess>& stops() const { return stops_; }
  const std::optional<scenarios::Ready>& ready() const { return ready_; }
  const std::optional<scenarios::ScriptFailed>& script_failed() const { return script_failed_; }
  const std::optional<scenarios::Finished>& finished() const { return finished_; }
  // Told of every effect, after the World has taken it.
  std::function<void(const scenarios::Effect&)> watch;

 private:
  void step(const scenarios::Input& input);
  void take(const scenarios::Effect& effect);

  Machine machine_;
  emulator::Now now_;
  std::int32_t next_request_ = 1;
  std::map<std::uint64_t, std::string> sent_;
  std::map<std::uint64_t, std::size_t> read_;
  std::map<std::uint64_t, emulator::Ending> endings_;
  std::deque<scenarios::Input> pending_;
  bool stepping_ = false;
  std::vector<scenarios::StartProcess> starts_;
  std::vector<scenarios::StopProcess> stops_;
  std::optional<scenarios::Ready> ready_;
  std::optional<scenarios::ScriptFailed> script_failed_;
  std::optional<scenarios::Finished> finished_;
};

// {ping: 1, $db: "admin"} from Extended JSON.
wire::Document json(std::string_view text);

}  // namespace oplogue_test
