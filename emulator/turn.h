// One step of the engine while it runs: from its input to its effects, with everything in between in its fixed order:
// frames one at a time, the observer, faults, the command, then whoever is woken, then what is due. Internal to the engine.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/delivery.h"
#include "emulator/engine.h"

namespace emulator {

struct Engine::ConnectionState {
  Connection connection;
  wire::FrameReader reader;
  std::optional<WaitList::Id> waiting;  // its request that waits: nothing more is read for it until that is over
  bool closing = false;
  ReadingState reading = ReadingState::On;
  DeliveryId last_delivery = 0;
  std::size_t unwritten_bytes = 0;
  std::deque<std::pair<DeliveryId, std::uint64_t>> undelivered;  // deliveries that end an exchange's reply
  std::deque<PendingPiece> pieces;                               // replies, or parts of them, that leave later
  std::unique_ptr<Exchange> exhaust;                             // goes on when its reply has left
  DeliveryId exhaust_after = 0;
};

class Turn {
 public:
  Turn(Engine& engine, Now now, std::vector<Effect>& effects) : engine_(engine), now_(now), effects_(effects) {}

  void operator()(const Listening& input);
  void operator()(const Opened& input);
  void operator()(const Received& input);
  void operator()(const Written& input);
  void operator()(const Closed& input);
  void operator()(const Woken&) {}
  // Wakes those touched and those whose time has come, until nothing is left to do now.
  void finish();

 private:
  using State = Engine::ConnectionState;

  State* find(ConnectionId id);
  void read_frames(State& state);
  void take_frame(State& state, wire::Frame frame);
  void start(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame);
  void settle(State& state, std::unique_ptr<Exchange> exchange, Outcome outcome, wire::Frame frame);
  void complete(State& state, std::unique_ptr<Exchange> exchange);
  void deliver(State& state, Exchange& exchange);
  void send(State& state, wire::Payload payload, std::uint64_t exchange_if_last);
  void flush_pieces(State& state);
  void go_on_exhausting(State& state);
  void wake(WaitList::Id id, WakeReason reason, int kill_code);
  void take_touches();
  void touched_entry(const OplogEntry& entry);
  void touched_command(const OplogEntry& entry);
  void close(State& state, Ending ending);
  void drop_waiting(State& state);
  void update_reading(State& state);
  bool wake_one_due();
  bool pieces_due();

  Engine& engine_;
  const Now now_;
  std::vector<Effect>& effects_;
};

}  // namespace emulator
