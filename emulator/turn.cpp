// Connections and frames.
#include "emulator/turn.h"

#include <algorithm>

#include "emulator/reply.h"

namespace emulator {

Turn::State* Turn::find(ConnectionId id) {
  const auto at = engine_.connections_.find(static_cast<std::uint64_t>(id));
  return at == engine_.connections_.end() ? nullptr : at->second.get();
}

void Turn::operator()(const Listening& input) {
  Member& member = engine_.deployment_.member(input.member);
  member.host = input.host;
  member.port = input.port;
}

void Turn::operator()(const Opened& input) {
  auto state = std::make_unique<State>();
  state->connection.id = input.connection;
  state->connection.member = input.member;
  state->connection.number = engine_.next_connection_number_++;
  state->connection.peer = input.peer;
  state->connection.local = input.local;
  state->connection.identity.subject = input.subject;
  State& opened = *state;
  engine_.connections_[static_cast<std::uint64_t>(input.connection)] = std::move(state);
  if (engine_.connections_.size() > engine_.deployment_.spec.connections_max) {
    close(opened, Ending::Now);
    return;
  }
  if (engine_.observer_ != nullptr) engine_.observer_->opened(opened.connection);
}

void Turn::operator()(const Received& input) {
  State* state = find(input.connection);
  if (state == nullptr || state->closing) return;
  state->reader.push(input.bytes);
  read_frames(*state);
  state->reader.finish();
  update_reading(*state);
}

void Turn::operator()(const Written& input) {
  State* state = find(input.connection);
  if (state == nullptr) return;
  state->unwritten_bytes = input.unwritten_bytes;
  while (!state->undelivered.empty() && state->undelivered.front().first <= input.last_complete) {
    const std::uint64_t exchange = state->undelivered.front().second;
    state->undelivered.pop_front();
    if (engine_.observer_ != nullptr) engine_.observer_->delivered(input.connection, exchange);
  }
  if (state->exhaust != nullptr && input.last_complete >= state->exhaust_after) go_on_exhausting(*state);
  read_frames(*state);
  update_reading(*state);
}

void Turn::operator()(const Closed& input) {
  State* state = find(input.connection);
  if (state == nullptr) return;
  drop_waiting(*state);
  if (engine_.observer_ != nullptr) engine_.observer_->closed(state->connection, input.cause);
  engine_.connections_.erase(static_cast<std::uint64_t>(input.connection));
}

void Turn::read_frames(State& state) {
  try {
    while (!state.busy() && state.unwritten_bytes <= unsent_bytes_max) {
      const std::optional<wire::Frame> frame = state.reader.next();
      if (!frame) return;
      take_frame(state, *frame);
    }
  } catch (const wire::Malformed&) {
    close(state, Ending::AfterOutbox);
  }
}

void Turn::take_frame(State& state, wire::Frame frame) {
  std::unique_ptr<Exchange> exchange = std::move(engine_.spare_);
  if (exchange == nullptr)
    exchange = std::make_unique<Exchange>();
  else
    exchange->reuse();
  exchange->id = engine_.next_exchange_++;
  exchange->connection = state.connection.id;
  exchange->member = state.connection.member;
  try {
    exchange->message = wire::decode_message(frame);
  } catch (const wire::InvalidMessage& fault) {
    refuse(state, fault);
    return;
  }
  start(state, std::move(exchange), frame);
}

// A message with invalid content has no command: it is answered without the observer, as mongod does before parsing one.
void Turn::refuse(State& state, const wire::InvalidMessage& fault) {
  if (wire::has(fault.envelope.flags, wire::OpMsgFlag::MoreToCome)) return;
  Exchange exchange;
  exchange.member = state.connection.member;
  fail_reply(exchange, CommandError(fault.code, fault.what()), engine_.deployment_);
  send(state,
       wire::encode_reply(fault.envelope, engine_.next_reply_id_++, fault.envelope.request_id, wire::MoreToCome::No,
                          std::move(exchange.body)),
       0);
}

void Turn::close(State& state, Ending ending) {
  if (state.closing) return;
  state.closing = true;
  drop_waiting(state);
  state.exhaust.reset();
  // What was ready goes out before a FIN; a piece that a fault still holds back does not.
  state.pieces.clear();
  effects_.emplace_back(Close{state.connection.id, ending});
}

void Turn::drop_waiting(State& state) {
  if (!state.waiting) return;
  const Waiter waiter = engine_.waits_.take(*state.waiting);
  state.waiting.reset();
  if (Cursor* cursor = engine_.deployment_.cursors.find(waiter.exchange->read_cursor)) cursor->pinned_by = 0;
}

// A client that sends on while its request waits, or that does not read its replies, is not read from beyond a bound.
void Turn::update_reading(State& state) {
  if (state.closing) return;
  const bool full = state.reader.kept_bytes() > unsent_bytes_max || state.unwritten_bytes > unsent_bytes_max;
  const ReadingState wanted = full ? ReadingState::Off : ReadingState::On;
  if (wanted == state.reading) return;
  state.reading = wanted;
  effects_.emplace_back(Reading{state.connection.id, wanted});
}

}  // namespace emulator
