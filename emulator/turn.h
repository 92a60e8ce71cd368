// One step of the engine while it runs: from its input to its effects, with everything in between in its fixed order:
// frames one at a time, the observer, faults, the command, then whoever is woken, then what is due. Internal to the engine.
#pragma once

#include <deque>
#include <memory>
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
  bool blackholed = false;  // a fault never answers its request
  ReadingState reading = ReadingState::On;
  DeliveryId last_delivery = 0;
  std::size_t unwritten_bytes = 0;
  std::deque<std::pair<DeliveryId, std::uint64_t>> undelivered;  // deliveries that end an exchange's reply
  std::deque<PendingPiece> pieces;                               // what leaves later, in order
  std::unique_ptr<Exchange> exhaust;                             // goes on when the reply before has left
  DeliveryId exhaust_after = 0;

  bool busy() const { return closing || blackholed || waiting || exhaust != nullptr || !pieces.empty(); }
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

  // turn.cpp: connections and frames
  State* find(ConnectionId id);
  void read_frames(State& state);
  void take_frame(State& state, wire::Frame frame);
  void refuse(State& state, const wire::InvalidMessage& fault);
  void close(State& state, Ending ending);
  void drop_waiting(State& state);
  void update_reading(State& state);

  // turn_exchange.cpp: one request
  void start(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame);
  void arrive(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame);
  void decide(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame);
  bool check_out(Exchange& exchange);
  void run(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame);
  void touch_entered();
  void settle(State& state, std::unique_ptr<Exchange> exchange, Outcome outcome, wire::Frame frame);
  void hold_back(State& state, std::unique_ptr<Exchange> exchange, Wait wait, wire::Frame frame);
  void keep(Exchange& exchange, wire::Frame frame);
  void ask_batch(State& state, Exchange& exchange);

  // turn_delivery.cpp: its reply
  void complete(State& state, std::unique_ptr<Exchange> exchange);
  void apply(const ReplyVerdict& verdict, Exchange& exchange);
  void deliver(State& state, Exchange& exchange);
  void queue(State& state, Exchange& exchange, wire::Payload payload, const Delivery& delivery);
  void send(State& state, wire::Payload payload, std::uint64_t exchange_if_last);
  void flush_pieces(State& state);
  void continue_exhaust(State& state, std::unique_ptr<Exchange> exchange, std::int32_t reply_id);
  void go_on_exhausting(State& state);

  // turn_wake.cpp: others
  void wake(WaitList::Id id, WakeReason reason, int kill_code = 0);
  void take_touches();
  void take_touch(const Touch& touch);
  void end_waits_of(const TouchedSession& session);
  void touched_entry(OplogPosition position);
  void touched_command(const OplogEntry& entry);
  bool wake_one();
  RealTime waited() const { return engine_.deployment_.clock.waited(now_); }

  Engine& engine_;
  const Now now_;
  std::vector<Effect>& effects_;
};

}  // namespace emulator
