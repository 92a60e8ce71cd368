// The reply of a request: faults that act on it, how it leaves, and exhaust streams that go on by themselves.
#include "emulator/commands/table.h"
#include "emulator/error_codes.h"
#include "emulator/faults/fault.h"
#include "emulator/legacy_reply.h"
#include "emulator/legacy_request.h"
#include "emulator/reply.h"
#include "emulator/turn.h"

namespace emulator {

void Turn::complete(State& state, std::unique_ptr<Exchange> exchange) {
  FaultPlan& faults = engine_.deployment_.faults;
  if (!faults.empty() && exchange->body.size() > 0) {
    exchange->reply_document();
    const ReplyVerdict verdict = faults.reply(*exchange, state.connection, now_);
    if (verdict.any()) apply(verdict, *exchange);
  }
  note_last_error(state.connection.last_error, *exchange);
  if (engine_.observer_ != nullptr) engine_.observer_->outcome(*exchange);
  if (closes_connection(exchange->error_code)) {
    close(state, Ending::AfterOutbox);
    return;
  }
  if (exchange->body.size() == 0 || exchange->request.more_to_come() || state.closing) return;
  deliver(state, *exchange);
  if (state.exhaust == nullptr && exchange->exhaust && exchange->request.exhaust_allowed() && !state.closing)
    continue_exhaust(state, std::move(exchange), engine_.next_reply_id_ - 1);
  else
    engine_.spare_ = std::move(exchange);
}

namespace {

// Labels are those given, else what a retryable write gets by the code.
wire::Document with_write_concern_error(const Exchange& exchange, const ReplyVerdict& verdict, const Profile& profile) {
  std::vector<std::string> labels;
  const wire::ValueView code = verdict.write_concern_error["code"];
  // Within a transaction a write concern error says nothing of whether to begin again.
  const bool within = exchange.request.in_transaction() && exchange.command != nullptr &&
                      exchange.command->in_transaction != InTransaction::Ends;
  if (verdict.labels)
    labels = *verdict.labels;
  else if (code.is(wire::Type::Int32) && !within)
    labels = error_labels(code.as_int32(), exchange, ErrorMoment::BeforeCheckout, profile.errors);
  wire::DocumentBuilder out;
  for (const wire::Element& element : exchange.reply_document()) {
    if (element.name == "errorLabels") continue;
    if (element.name != "ok") {
      out.append(element.name, element.value);
      continue;
    }
    append_ok(out, verdict.write_concern_error, profile);
    if (labels.empty()) continue;
    out.begin_array("errorLabels");
    for (const std::string& label : labels) out.append_string(out.item_name(), label);
    out.end();
  }
  return out.finish();
}

}  // namespace

void Turn::apply(const ReplyVerdict& verdict, Exchange& exchange) {
  if (verdict.decision == Decision::Error) {
    if (verdict.cursor == CursorFate::Gone && exchange.read_cursor != 0)
      engine_.deployment_.cursors.remove(exchange.read_cursor);
    fail_reply(exchange, *verdict.error, engine_.deployment_);
  } else if (verdict.decision == Decision::Answer) {
    answer_reply(exchange, verdict.answer);
  }
  if (!verdict.write_concern_error.is_default())
    answer_reply(exchange, with_write_concern_error(exchange, verdict, engine_.deployment_.profile));
  for (const ReplyEdit& edit : verdict.edits) answer_reply(exchange, edited(exchange.reply_document(), edit));
}

void Turn::deliver(State& state, Exchange& exchange) {
  const std::int32_t reply_id = engine_.next_reply_id_++;
  const wire::Envelope& envelope = exchange.request.envelope;
  const bool more = exchange.exhaust && exchange.request.exhaust_allowed();
  const std::int32_t response_to = exchange.repeat > 0 ? exchange.previous_reply_id : envelope.request_id;
  wire::Payload payload =
      is_legacy_read(exchange.request)
          ? legacy_reply(exchange, reply_id, response_to)
          : wire::encode_reply(envelope, reply_id, response_to, more ? wire::MoreToCome::Yes : wire::MoreToCome::No,
                               std::move(exchange.body));
  if (!exchange.faults.empty()) {
    const Delivery delivery = engine_.deployment_.faults.delivery(exchange);
    if (!delivery.ordinary()) {
      queue(state, exchange, std::move(payload), delivery);
      return;
    }
  }
  send(state, std::move(payload), exchange.id);
}

// Cuts the reply as the faults want it and queues the pieces; what may leave now does.
void Turn::queue(State& state, Exchange& exchange, wire::Payload payload, const Delivery& delivery) {
  using Then = Delivery::Then;
  if (delivery.then == Then::Withhold) {
    state.blackholed = true;
    return;
  }
  std::string bytes;
  if (delivery.then != Then::CloseUnsent && delivery.then != Then::ResetUnsent) bytes = payload.flatten();
  if (delivery.bytes_max && bytes.size() > *delivery.bytes_max) bytes.resize(*delivery.bytes_max);
  PendingPiece piece;
  piece.due = waited() + delivery.delay;
  piece.held = delivery.held;
  piece.exchange = exchange.id;
  std::size_t at = 0;
  for (const std::size_t size : delivery.pieces) {
    if (at + size >= bytes.size()) break;
    piece.bytes = wire::Payload(bytes.substr(at, size));
    at += size;
    state.pieces.push_back(piece);
  }
  piece.bytes = wire::Payload(bytes.substr(at));
  piece.last = true;
  const bool reset = delivery.then == Then::Reset || delivery.then == Then::ResetUnsent;
  const bool stay = delivery.then == Then::GoOn;
  piece.afterwards = stay ? Afterwards::Stay : reset ? Afterwards::Reset : Afterwards::Close;
  state.pieces.push_back(std::move(piece));
  engine_.delayed_.insert(static_cast<std::uint64_t>(state.connection.id));
  flush_pieces(state);
}

void Turn::flush_pieces(State& state) {
  while (!state.pieces.empty()) {
    PendingPiece& front = state.pieces.front();
    if (front.due > waited()) return;
    if (front.held) {
      Exchange asked;
      asked.id = front.exchange;
      if (engine_.deployment_.faults.held_by(asked) != 0) return;
    }
    const PendingPiece piece = std::move(front);
    state.pieces.pop_front();
    if (piece.bytes.size() > 0) send(state, piece.bytes, piece.last ? piece.exchange : 0);
    if (piece.afterwards != Afterwards::Stay) {
      close(state, piece.afterwards == Afterwards::Close ? Ending::AfterOutbox : Ending::Reset);
      return;
    }
  }
}

void Turn::send(State& state, wire::Payload payload, std::uint64_t exchange_if_last) {
  const DeliveryId delivery = ++state.last_delivery;
  if (exchange_if_last != 0) state.undelivered.emplace_back(delivery, exchange_if_last);
  state.unwritten_bytes += payload.size();
  effects_.emplace_back(Send{state.connection.id, delivery, std::move(payload)});
}

// The next reply of an exhaust stream is the same request run again, once the reply before has left: a client that does
// not read holds its own stream up.
void Turn::continue_exhaust(State& state, std::unique_ptr<Exchange> exchange, std::int32_t reply_id) {
  auto next = std::make_unique<Exchange>();
  next->id = engine_.next_exchange_++;
  next->connection = exchange->connection;
  next->member = exchange->member;
  next->repeat = exchange->repeat + 1;
  next->previous_reply_id = reply_id;
  next->told_topology_counter = exchange->told_topology_counter;
  next->kept_frame = exchange->kept_frame;
  next->message = wire::decode_message(std::as_bytes(std::span(next->kept_frame)));
  ask_for_more(next->message, exchange->opened_cursor != 0 ? exchange->opened_cursor : exchange->read_cursor);
  state.exhaust = std::move(next);
  state.exhaust_after = state.last_delivery;
}

void Turn::go_on_exhausting(State& state) {
  std::unique_ptr<Exchange> exchange = std::move(state.exhaust);
  start(state, std::move(exchange), {});
}

}  // namespace emulator
