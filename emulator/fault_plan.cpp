#include "emulator/fault_plan.h"

#include <algorithm>

#include "emulator/deployment.h"
#include "emulator/exchange.h"
#include "emulator/faults/table.h"

namespace emulator {
namespace {

// Ended faults keep their standing up to here; then the oldest are forgotten.
constexpr std::size_t entries_kept_max = 1024;

// Which of an exchange's takers act, in the order of injection, whatever the moment they took it at.
void note_taker(Exchange& exchange, FaultId id, std::uint64_t nth) {
  const auto later = std::ranges::upper_bound(exchange.faults, id, {}, &Exchange::TakenBy::fault);
  exchange.faults.insert(later, {id, nth});
}

}  // namespace

FaultPlan::AskedAt FaultPlan::asked_at(const Injection& injection) {
  if (injection.filter_needs_reply) return AskedAt::Reply;
  AskedAt at = AskedAt::Reply;
  for (const auto& fault : injection.faults) {
    if (fault->edits_batch())
      at = std::min(at, AskedAt::Batch);
    else if (fault->moment() == Moment::Arrival)
      return AskedAt::Arrival;
  }
  return at;
}

FaultId FaultPlan::inject(Injection injection, Now now) {
  if (injected_.size() >= entries_kept_max)
    std::erase_if(injected_, [this](const Entry& entry) {
      const bool ended = entry.over() && entry.held.empty();
      if (ended) forgotten_[entry.injection.name] += entry.taken;
      return ended;
    });
  Entry entry;
  entry.id = next_++;
  if (injection.lasts) entry.until = now.real + *injection.lasts;
  for (const auto& fault : injection.faults)
    if (const auto most = fault->times_max()) injection.times = *most;
  entry.injection = std::move(injection);
  injected_.push_back(std::move(entry));
  return injected_.back().id;
}

void FaultPlan::clear(Deployment& deployment, FaultId id) {
  for (Entry& entry : injected_)
    if (id == 0 || entry.id == id) {
      entry.cleared = true;
      release(deployment, entry.id);
    }
}

void FaultPlan::release(Deployment& deployment, FaultId id) {
  Entry* entry = find(id);
  if (entry == nullptr || entry->held.empty()) return;
  entry->held.clear();
  deployment.touch(TouchedHold{id});
}

bool FaultPlan::takes(Entry& entry, Exchange& exchange, const Connection& connection, Now now) {
  if (entry.over() || now.real >= entry.until) return false;
  if (exchange.decided_by != 0 && exchange.decided_by < entry.id) return false;
  if (std::ranges::find(exchange.faults_asked, entry.id) != exchange.faults_asked.end()) return false;
  exchange.faults_asked.push_back(entry.id);
  if (entry.injection.filter && !entry.injection.filter(exchange, connection)) return false;
  if (++entry.seen <= entry.injection.skip) return false;
  return entry.injection.chance >= 1.0 || chance_.unit() < entry.injection.chance;
}

void FaultPlan::ask(Exchange& exchange, const Connection& connection, Now now, AskedAt at) {
  for (Entry& entry : injected_) {
    if (asked_at(entry.injection) != at || !takes(entry, exchange, connection, now)) continue;
    note_taker(exchange, entry.id, entry.taken++);
    const auto decides = [](const auto& fault) { return fault->decides(); };
    if (std::ranges::any_of(entry.injection.faults, decides)) exchange.decided_by = entry.id;
  }
}

Arrival FaultPlan::arrive(Exchange& exchange, const Connection& connection, Now now) {
  Arrival arrival;
  ask(exchange, connection, now, AskedAt::Arrival);
  for (const Exchange::TakenBy& taker : exchange.faults) {
    Entry* entry = find(taker.fault);
    if (entry == nullptr) continue;
    for (const auto& fault : entry->injection.faults) {
      if (fault->moment() != Moment::Arrival) continue;
      fault->arrive(arrival);
      if (fault->holds()) {
        entry->held.push_back(exchange.id);
        arrival.held = true;
      }
    }
  }
  return arrival;
}

FaultId FaultPlan::held_by(const Exchange& exchange) const {
  for (const Exchange::TakenBy& taker : exchange.faults) {
    const Entry* entry = find(taker.fault);
    if (entry != nullptr && std::ranges::find(entry->held, exchange.id) != entry->held.end()) return entry->id;
  }
  return 0;
}

void FaultPlan::batch(Exchange& exchange, const Connection& connection, Now now) {
  exchange.batch_edit = {};
  ask(exchange, connection, now, AskedAt::Batch);
  for (const Exchange::TakenBy& taker : exchange.faults)
    if (const Entry* entry = find(taker.fault))
      for (const auto& fault : entry->injection.faults)
        if (fault->edits_batch()) fault->batch(exchange.batch_edit, taker.nth);
}

ReplyVerdict FaultPlan::reply(Exchange& exchange, const Connection& connection, Now now) {
  ReplyVerdict verdict;
  ask(exchange, connection, now, AskedAt::Reply);
  for (const Exchange::TakenBy& taker : exchange.faults) {
    Entry* entry = find(taker.fault);
    if (entry == nullptr) continue;
    for (const auto& fault : entry->injection.faults) {
      if (fault->moment() != Moment::Reply) continue;
      fault->reply(verdict);
      if (fault->holds()) entry->held.push_back(exchange.id);
    }
  }
  return verdict;
}

Delivery FaultPlan::delivery(const Exchange& exchange) const {
  Delivery delivery;
  for (const Exchange::TakenBy& taker : exchange.faults)
    if (const Entry* entry = find(taker.fault))
      for (const auto& fault : entry->injection.faults) fault->deliver(delivery);
  delivery.held = held_by(exchange) != 0;
  return delivery;
}

void FaultPlan::forget(const Exchange& exchange) {
  for (const Exchange::TakenBy& taker : exchange.faults)
    if (Entry* entry = find(taker.fault)) std::erase(entry->held, exchange.id);
}

std::optional<FaultPlan::Standing> FaultPlan::standing(FaultId id) const {
  const Entry* entry = find(id);
  if (entry == nullptr) return std::nullopt;
  return Standing{entry->id, &entry->injection, entry->taken, entry->held.size(), entry->over()};
}

std::vector<FaultPlan::Standing> FaultPlan::standings() const {
  std::vector<Standing> all;
  for (const Entry& entry : injected_)
    all.push_back({entry.id, &entry.injection, entry.taken, entry.held.size(), entry.over()});
  return all;
}

std::uint64_t FaultPlan::taken_by(const std::string& name) const {
  const auto forgotten = forgotten_.find(name);
  std::uint64_t taken = forgotten == forgotten_.end() ? 0 : forgotten->second;
  for (const Entry& entry : injected_)
    if (entry.injection.name == name) taken += entry.taken;
  return taken;
}

void FaultPlan::clear_named(Deployment& deployment, const std::string& name) {
  for (const Entry& entry : injected_)
    if (entry.injection.name == name && !entry.over()) clear(deployment, entry.id);
}

bool FaultPlan::ends_wait(FaultId id, const Exchange& exchange, const Connection& connection, Now now) const {
  const Entry* entry = find(id);
  if (entry == nullptr || entry->over() || now.real >= entry->until || entry->seen < entry->injection.skip)
    return false;
  if (entry->injection.filter_needs_reply) return false;
  const auto ends = [](const auto& fault) { return fault->ends_wait(); };
  if (std::ranges::none_of(entry->injection.faults, ends)) return false;
  return !entry->injection.filter || entry->injection.filter(exchange, connection);
}

const FaultPlan::Entry* FaultPlan::find(FaultId id) const {
  const auto at = std::ranges::lower_bound(injected_, id, {}, &Entry::id);
  return at != injected_.end() && at->id == id ? &*at : nullptr;
}

FaultPlan::Entry* FaultPlan::find(FaultId id) {
  const auto at = std::ranges::lower_bound(injected_, id, {}, &Entry::id);
  return at != injected_.end() && at->id == id ? &*at : nullptr;
}

const FaultSpec* find_fault(std::string_view name) {
  const auto faults = all_faults();
  const auto found = std::ranges::find(faults, name, &FaultSpec::name);
  return found == faults.end() ? nullptr : *found;
}

}  // namespace emulator
