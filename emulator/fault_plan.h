// When faults act: the list of injected ones, asked in the order of injection for each request. What each does is its own file
// in faults/. Knows no scenario files; whoever injects (Director, control, configureFailPoint) gives the filter as a function.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/faults/fault.h"
#include "emulator/input.h"
#include "emulator/random.h"

namespace emulator {

struct Exchange;
struct Connection;
class Deployment;

// Numbers injections from 1.
using FaultId = std::uint64_t;
inline constexpr std::uint64_t fault_always = std::numeric_limits<std::uint64_t>::max();

// One `inject`: what, for whom, how often.
struct Injection {
  std::vector<std::unique_ptr<Fault>> faults;
  // Whether it is for this request; asked at most once for each. Empty: for all.
  std::function<bool(const Exchange&, const Connection&)> filter;
  // The filter looks at the reply, so it can only be asked when there is one.
  bool filter_needs_reply = false;
  std::uint64_t skip = 0;
  std::uint64_t times = 1;  // or fault_always
  double chance = 1.0;
  std::optional<std::chrono::nanoseconds> lasts;  // real time since the injection
  std::string name;                               // as the journal calls it
};

class FaultPlan {
 public:
  explicit FaultPlan(std::uint64_t seed = 1) : chance_(seed, "faults") {}

  bool empty() const { return injected_.empty(); }
  FaultId inject(Injection injection, Now now);
  // Ends the fault; what it holds is let go. 0: all.
  void clear(Deployment& deployment, FaultId id);
  // Lets go what a hold holds now; it goes on holding others if it has times left.
  void release(Deployment& deployment, FaultId id);

  // --- what the Engine calls, in this order, for every request that may be faulted (CommandSpec::faultable)
  // Before it runs. The Engine serves the verdict: first the delay, then the holds (held_by), then what `decision` says.
  Arrival arrive(Exchange& exchange, const Connection& connection, Now now);
  // The hold that holds this request now; 0: none (any more). After TouchedHold{id}: ask again.
  FaultId held_by(const Exchange& exchange) const;
  // Before a stream is read, each time it is tried: fills exchange.batch_edit.
  void batch(Exchange& exchange, const Connection& connection, Now now);
  // When the reply is ready and before the observer hears the outcome; exchange.reply_document() must be valid.
  // Replies that `arrive` decided (error, answer) pass through here, too.
  ReplyVerdict reply(Exchange& exchange, const Connection& connection, Now now);
  // How the reply leaves, by the faults that took the request; asks no further ones.
  Delivery delivery(const Exchange& exchange) const;
  // The exchange is gone (its connection closed): no hold holds it.
  void forget(const Exchange& exchange);

  // --- for await: {applied}, state and configureFailPoint
  struct Standing {
    FaultId id = 0;
    const Injection* injection = nullptr;
    std::uint64_t taken = 0;  // requests it took so far
    std::size_t holding = 0;  // requests it holds now
    bool over = false;        // its times are used up, or it was cleared
  };
  // nullopt: never injected. Ended faults keep their standing.
  std::optional<Standing> standing(FaultId id) const;
  std::vector<Standing> standings() const;
  // How many requests all injections of that name took, ended ones included.
  std::uint64_t taken_by(const std::string& name) const;
  // Ends all injections of that name.
  void clear_named(Deployment& deployment, const std::string& name);
  // Whether a fault that acts at the reply would end this waiting request now (SCENARIOS.md: error with `at: reply`).
  bool ends_wait(FaultId id, const Exchange& exchange, const Connection& connection, Now now) const;

 private:
  struct Entry {
    FaultId id = 0;
    Injection injection;
    RealTime until = RealTime::max();
    std::uint64_t seen = 0;  // matching requests, skipped ones included
    std::uint64_t taken = 0;
    std::vector<std::uint64_t> held;  // exchanges
    bool cleared = false;
    bool over() const { return cleared || taken >= injection.times; }
  };
  enum class AskedAt { Arrival, Batch, Reply };
  static AskedAt asked_at(const Injection& injection);
  void ask(Exchange& exchange, const Connection& connection, Now now, AskedAt at);
  bool takes(Entry& entry, Exchange& exchange, const Connection& connection, Now now);
  Entry* find(FaultId id);
  const Entry* find(FaultId id) const;

  std::vector<Entry> injected_;                     // ascending ids
  std::map<std::string, std::uint64_t> forgotten_;  // what entries took that are no longer kept
  FaultId next_ = 1;
  RandomStream chance_;
};

}  // namespace emulator
