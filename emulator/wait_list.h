// Requests that wait, indexed by what they wait for, woken in order of registration. Knows no commands and no oplog.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "emulator/exchange.h"
#include "emulator/wait.h"

namespace emulator {

struct Waiter {
  std::unique_ptr<Exchange> exchange;
  Wait wait;
};

class WaitList {
 public:
  using Id = std::uint64_t;

  Id add(std::unique_ptr<Exchange> exchange, Wait wait);
  // Waits on in its old place in the order.
  void put_back(Id id, std::unique_ptr<Exchange> exchange, Wait wait);
  // Takes it out; it must be there.
  Waiter take(Id id);
  const Waiter* find(Id id) const;

  // Marks those who wait for changes of this collection, of its database and of the cluster. Empty collection: of the database.
  void touch_oplog(const std::string& db, const std::string& collection);
  // Marks every stream of the database, whatever its collection.
  void touch_database(const std::string& db);
  // Marks every stream.
  void touch_every_oplog();
  void touch_topology() { touch(topology_key); }
  void touch_hold(std::uint64_t fault) { touch(hold_key(fault)); }
  void touch_fail_points() { touch(fail_point_key); }
  void touch_transaction(std::uint64_t transaction) { touch(transaction_key(transaction)); }
  bool is_touched(Id id) const { return touched_.contains(id); }
  // The first touched one in order of registration; takes the mark away.
  std::optional<Id> next_touched();
  // The first whose deadline is not after `waited`.
  std::optional<Id> next_due(RealTime waited) const;
  std::optional<RealTime> earliest_deadline() const;

  std::optional<Id> of_cursor(std::int64_t cursor) const;
  // In order of registration.
  const std::map<Id, Waiter>& all() const { return waiters_; }

 private:
  inline static const std::string topology_key{"\1topology"};
  inline static const std::string fail_point_key{"\1failpoint"};
  static std::string hold_key(std::uint64_t fault) { return "\1hold" + std::to_string(fault); }
  static std::string transaction_key(std::uint64_t id) { return "\1transaction" + std::to_string(id); }
  static std::string key_of(const WaitFor& what);
  void touch(const std::string& key);

  std::map<Id, Waiter> waiters_;
  std::unordered_map<std::string, std::set<Id>> by_key_;
  std::set<std::pair<RealTime, Id>> deadlines_;
  std::set<Id> touched_;
  Id next_ = 1;
};

}  // namespace emulator
