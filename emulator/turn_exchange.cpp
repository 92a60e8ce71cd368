// One request: from its message to its outcome, with the faults that act before it runs.
#include "emulator/commands/table.h"
#include "emulator/dispatch.h"
#include "emulator/reply.h"
#include "emulator/turn.h"

namespace emulator {

void Turn::start(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame) {
  try {
    read_request(*exchange, engine_.deployment_.profile);
  } catch (const CommandError& error) {
    fail_reply(*exchange, error, engine_.deployment_);
    complete(state, std::move(exchange));
    return;
  }
  exchange->command = command_named(exchange->request.name, engine_.deployment_.profile);
  exchange->monitoring = exchange->command != nullptr && exchange->command->monitoring == Monitoring::Yes;
  if (engine_.observer_ != nullptr) engine_.observer_->command(*exchange);
  const bool faultable = exchange->command != nullptr && exchange->command->faultable == Faultable::Yes;
  if (engine_.deployment_.faults.empty() || !faultable)
    run(state, std::move(exchange), frame);
  else
    arrive(state, std::move(exchange), frame);
}

void Turn::arrive(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame) {
  exchange->arrival = engine_.deployment_.faults.arrive(*exchange, state.connection, now_);
  touch_entered();
  if (exchange->arrival.delay.count() > 0) {
    Wait wait;
    wait.deadline = waited() + exchange->arrival.delay;
    wait.what = WaitForTime{};
    exchange->arrival.delay = {};
    hold_back(state, std::move(exchange), std::move(wait), frame);
    return;
  }
  decide(state, std::move(exchange), frame);
}

// Its delay is over: the hold, then what was decided.
void Turn::decide(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame) {
  if (const FaultId fault = exchange->arrival.held ? engine_.deployment_.faults.held_by(*exchange) : 0) {
    Wait wait;
    wait.deadline = RealTime::max();
    wait.what = WaitForHold{fault};
    hold_back(state, std::move(exchange), std::move(wait), frame);
    return;
  }
  const Arrival arrival = std::exchange(exchange->arrival, {});
  switch (arrival.decision) {
    case Decision::None:
      run(state, std::move(exchange), frame);
      return;
    case Decision::Error: {
      CommandError error = *arrival.error;
      const bool checked_out = arrival.cursor == CursorFate::Gone && check_out(*exchange);
      const ErrorMoment moment = checked_out ? ErrorMoment::AfterCheckout : ErrorMoment::BeforeCheckout;
      if (!error.labels) error.labels = error_labels(error.code, *exchange, moment, engine_.deployment_.profile.errors);
      if (checked_out) engine_.deployment_.cursors.remove(exchange->read_cursor);
      fail_reply(*exchange, error, engine_.deployment_);
      break;
    }
    case Decision::Answer:
      answer_reply(*exchange, arrival.answer);
      break;
    case Decision::Close:
    case Decision::Reset:
    case Decision::Blackhole:
      if (engine_.observer_ != nullptr) engine_.observer_->outcome(*exchange);
      if (arrival.decision == Decision::Blackhole)
        state.blackholed = true;
      else
        close(state, arrival.decision == Decision::Close ? Ending::AfterOutbox : Ending::Reset);
      return;
  }
  complete(state, std::move(exchange));
}

// Whether the request names a cursor: an error in its stead then is one of reading it.
bool Turn::check_out(Exchange& exchange) {
  const wire::ValueView target = exchange.request.target();
  if (!target.is(wire::Type::Int64) || engine_.deployment_.cursors.find(target.as_int64()) == nullptr) return false;
  exchange.read_cursor = target.as_int64();
  const Cursor* cursor = engine_.deployment_.cursors.find(exchange.read_cursor);
  exchange.reads_stream = cursor != nullptr && cursor->is_change_stream();
  return true;
}

void Turn::run(State& state, std::unique_ptr<Exchange> exchange, wire::Frame frame) {
  ask_batch(state, *exchange);
  Context context(engine_.deployment_, *exchange, state.connection, now_);
  Outcome outcome = dispatch(context);
  settle(state, std::move(exchange), std::move(outcome), frame);
}

void Turn::ask_batch(State& state, Exchange& exchange) {
  if (!engine_.deployment_.faults.empty()) engine_.deployment_.faults.batch(exchange, state.connection, now_);
}

// Whoever waits for a fail point to be entered looks again.
void Turn::touch_entered() {
  if (!engine_.deployment_.faults.empty()) engine_.waits_.touch_fail_points();
}

void Turn::settle(State& state, std::unique_ptr<Exchange> exchange, Outcome outcome, wire::Frame frame) {
  if (Wait* wait = std::get_if<Wait>(&outcome)) {
    hold_back(state, std::move(exchange), std::move(*wait), frame);
    if (engine_.observer_ != nullptr) engine_.observer_->waiting(*engine_.waits_.find(*state.waiting)->exchange);
    return;
  }
  touch_entered();
  if (exchange->kind == ReplyKind::None && std::holds_alternative<Replied>(outcome))
    finish_reply(*exchange, engine_.deployment_);
  profile_operation(engine_.deployment_, *exchange, state.connection, now_);
  // An OP_QUERY with flag exhaust goes on as a getMore of the cursor that it opened.
  if (exchange->request.exhaust && exchange->opened_cursor != 0) exchange->exhaust = true;
  if (exchange->exhaust && exchange->request.exhaust_allowed()) keep(*exchange, frame);
  complete(state, std::move(exchange));
}

void Turn::hold_back(State& state, std::unique_ptr<Exchange> exchange, Wait wait, wire::Frame frame) {
  keep(*exchange, frame);
  state.waiting = engine_.waits_.add(std::move(exchange), std::move(wait));
}

// The request outlives the bytes it came in: it gets its own, and reads them anew.
void Turn::keep(Exchange& exchange, wire::Frame frame) {
  if (!exchange.kept_frame.empty()) return;
  exchange.kept_frame.assign(reinterpret_cast<const char*>(frame.data()), frame.size());
  exchange.message = wire::decode_message(std::as_bytes(std::span(exchange.kept_frame)));
  read_request(exchange, engine_.deployment_.profile);
}

}  // namespace emulator
