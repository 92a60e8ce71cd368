#include "emulator/wait_list.h"
#include "wire/overloaded.h"

#include <cassert>

namespace emulator {
std::string WaitList::key_of(const WaitFor& what) {
  return std::visit(
      wire::Overloaded{
          [](const WaitForOplog& w) { return w.db.empty() || w.collection.empty() ? w.db : w.db + "." + w.collection; },
          [](const WaitForTopology&) { return topology_key; }, [](const WaitForHold& w) { return hold_key(w.fault); },
          [](const WaitForTime&) { return std::string("\1time"); },
          [](const WaitForTransaction& w) { return transaction_key(w.transaction); },
          [](const WaitForFailPoint&) { return fail_point_key; }},
      what);
}

WaitList::Id WaitList::add(std::unique_ptr<Exchange> exchange, Wait wait) {
  const Id id = next_++;
  put_back(id, std::move(exchange), std::move(wait));
  return id;
}

void WaitList::put_back(Id id, std::unique_ptr<Exchange> exchange, Wait wait) {
  by_key_[key_of(wait.what)].insert(id);
  deadlines_.emplace(wait.deadline, id);
  waiters_.emplace(id, Waiter{std::move(exchange), std::move(wait)});
}

Waiter WaitList::take(Id id) {
  const auto at = waiters_.find(id);
  assert(at != waiters_.end());
  Waiter waiter = std::move(at->second);
  waiters_.erase(at);
  deadlines_.erase({waiter.wait.deadline, id});
  touched_.erase(id);
  const auto key = by_key_.find(key_of(waiter.wait.what));
  key->second.erase(id);
  if (key->second.empty()) by_key_.erase(key);
  return waiter;
}

const Waiter* WaitList::find(Id id) const {
  const auto at = waiters_.find(id);
  return at == waiters_.end() ? nullptr : &at->second;
}

void WaitList::touch(const std::string& key) {
  const auto at = by_key_.find(key);
  if (at != by_key_.end()) touched_.insert(at->second.begin(), at->second.end());
}

void WaitList::touch_oplog(const std::string& db, const std::string& collection) {
  if (waiters_.empty()) return;
  if (!collection.empty()) touch(db + "." + collection);
  touch(db);
  touch(std::string());
}

void WaitList::touch_database(const std::string& db) {
  const std::string prefix = db + ".";
  for (const auto& [key, ids] : by_key_)
    if (key.starts_with(prefix)) touched_.insert(ids.begin(), ids.end());
  touch_oplog(db, std::string());
}

void WaitList::touch_every_oplog() {
  for (const auto& [key, ids] : by_key_)
    if (!key.starts_with('\1')) touched_.insert(ids.begin(), ids.end());
}

std::optional<WaitList::Id> WaitList::next_touched() {
  if (touched_.empty()) return std::nullopt;
  const Id id = *touched_.begin();
  touched_.erase(touched_.begin());
  return id;
}

std::optional<WaitList::Id> WaitList::next_due(RealTime waited) const {
  if (deadlines_.empty() || deadlines_.begin()->first > waited) return std::nullopt;
  return deadlines_.begin()->second;
}

std::optional<RealTime> WaitList::earliest_deadline() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first;
}

std::optional<WaitList::Id> WaitList::of_cursor(std::int64_t cursor) const {
  for (const auto& [id, waiter] : waiters_)
    if (waiter.exchange->read_cursor == cursor) return id;
  return std::nullopt;
}

}  // namespace emulator
