// Others: those who wait for what this turn changed, those whose time has come, connections that shall be closed.
#include "emulator/dispatch.h"
#include "emulator/turn.h"
#include "wire/overloaded.h"

namespace emulator {

void Turn::finish() {
  engine_.jobs_.run(engine_.deployment_, now_);
  for (;;) {
    take_touches();
    if (!wake_one()) break;
  }
}

bool Turn::wake_one() {
  WaitList& waits = engine_.waits_;
  if (const auto id = waits.next_touched()) {
    if (waits.find(*id) != nullptr) wake(*id, WakeReason::Changed);
    return true;
  }
  if (const auto id = waits.next_due(waited())) {
    wake(*id, WakeReason::Expired);
    return true;
  }
  for (const std::uint64_t id : std::vector(engine_.delayed_.begin(), engine_.delayed_.end())) {
    State* state = find(static_cast<ConnectionId>(id));
    const std::size_t before = state == nullptr ? 0 : state->pieces.size();
    if (before > 0) flush_pieces(*state);
    if (state == nullptr || state->pieces.empty()) engine_.delayed_.erase(id);
    if (before == 0 || state->pieces.size() == before) continue;
    read_frames(*state);
    return true;
  }
  return engine_.deployment_.has_touches();
}

void Turn::wake(WaitList::Id id, WakeReason reason, int kill_code) {
  Waiter waiter = engine_.waits_.take(id);
  State* state = find(waiter.exchange->connection);
  if (state == nullptr) return;
  state->waiting.reset();
  if (waiter.wait.resume == nullptr) {  // held back by a fault before it ran
    decide(*state, std::move(waiter.exchange), {});
  } else {
    ask_batch(*state, *waiter.exchange);
    waiter.wait.state.kill_code = kill_code;
    Context context(engine_.deployment_, *waiter.exchange, state->connection, now_);
    Outcome outcome = resume(context, waiter.wait, reason);
    if (Wait* again = std::get_if<Wait>(&outcome)) {
      engine_.waits_.put_back(id, std::move(waiter.exchange), std::move(*again));
      state->waiting = id;
      return;
    }
    settle(*state, std::move(waiter.exchange), std::move(outcome), {});
  }
  read_frames(*state);
  update_reading(*state);
}

void Turn::take_touches() {
  for (const Touch& touch : engine_.deployment_.take_touches()) take_touch(touch);
}

void Turn::take_touch(const Touch& touch) {
  WaitList& waits = engine_.waits_;
  std::visit(
      wire::Overloaded{[&](const TouchedOplog& t) { touched_entry(t.position); },
                       [&](const TouchedTopology&) { waits.touch_topology(); },
                       [&](const TouchedCursor& t) {
                         if (const auto id = waits.of_cursor(t.cursor)) wake(*id, WakeReason::Killed, t.code);
                       },
                       [&](const TouchedHold& t) { waits.touch_hold(t.fault); },
                       [&](const CloseConnection& t) {
                         State* state = find(t.connection);
                         if (state == nullptr) return;
                         // What was written before is ready for it: that goes out first.
                         if (t.ending == Ending::AfterOutbox && state->waiting && waits.is_touched(*state->waiting)) {
                           wake(*state->waiting, WakeReason::Changed);
                           state = find(t.connection);
                         }
                         if (state != nullptr) close(*state, t.ending);
                       },
                       [&](const TouchedOperation& t) {
                         for (const auto& [id, waiter] : waits.all()) {
                           if (static_cast<std::int64_t>(waiter.exchange->id) != t.operation) continue;
                           wake(id, WakeReason::Killed, t.code);
                           break;
                         }
                       },
                       [&](const TouchedTransaction& t) { waits.touch_transaction(t.transaction); },
                       [&](const TouchedSession& t) { end_waits_of(t); },
                       [&](const TouchedExchange& t) {
                         for (const auto& [id, waiter] : waits.all()) {
                           if (waiter.exchange->id != t.exchange) continue;
                           wake(id, WakeReason::Expired);
                           break;
                         }
                       },
                       [&](const Listen& t) { effects_.emplace_back(t); }},
      touch);
}

void Turn::end_waits_of(const TouchedSession& session) {
  std::vector<WaitList::Id> its;
  for (const auto& [id, waiter] : engine_.waits_.all())
    if (waiter.wait.resume != nullptr && waiter.exchange->request.lsid()["id"].identical(session.lsid["id"]))
      its.push_back(id);
  for (const WaitList::Id id : its)
    if (engine_.waits_.find(id) != nullptr) wake(id, WakeReason::Killed, session.code);
}

void Turn::touched_entry(OplogPosition position) {
  const Oplog& oplog = engine_.deployment_.oplog;
  if (engine_.observer_ != nullptr) engine_.observer_->appended(position);
  if (position < oplog.first()) return;
  const OplogEntry& entry = oplog.at(position);
  // Whoever tails local.oplog.rs waits for every entry.
  engine_.waits_.touch_oplog("local", "oplog.rs");
  if (entry.ns == nullptr) return;
  if (entry.ns->collection == "$cmd")
    touched_command(entry);
  else
    engine_.waits_.touch_oplog(entry.ns->db, entry.ns->collection);
}

// A command may concern any stream of its database; a rename that of the target's, a transaction those of its operations.
void Turn::touched_command(const OplogEntry& entry) {
  WaitList& waits = engine_.waits_;
  const wire::Element first = entry.o.view().first();
  const auto touch_namespace = [&](wire::ValueView ns) {
    if (!ns.is(wire::Type::String)) return;
    const std::string_view text = ns.as_string();
    const std::size_t dot = text.find('.');
    if (dot != std::string_view::npos)
      waits.touch_oplog(std::string(text.substr(0, dot)), std::string(text.substr(dot + 1)));
  };
  const bool goes_on =
      entry.extra != nullptr && entry.extra->previous_time.value_or(wire::Timestamp{}) != wire::Timestamp{};
  if (entry.ns->db == "admin" && goes_on) {  // the end of a transaction of several entries
    waits.touch_every_oplog();
    return;
  }
  if (first.name == "applyOps" && first.value.is(wire::Type::Array)) {
    for (const wire::Element& operation : first.value.as_document())
      if (operation.value.is(wire::Type::Document)) touch_namespace(operation.value.as_document()["ns"]);
    return;
  }
  waits.touch_database(entry.ns->db);
  if (first.name == "renameCollection") touch_namespace(entry.o["to"]);
}

}  // namespace emulator
