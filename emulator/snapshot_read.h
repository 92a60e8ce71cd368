// Reads as of one cluster time outside of transactions: readConcern {level: "snapshot"} of find, aggregate and distinct (5.0+).
// Knows no command.
#pragma once

#include <map>
#include <memory>

#include "emulator/command_error.h"
#include "emulator/store/collection.h"

namespace emulator {

class Context;
class Deployment;

// The earliest time that can be read: minSnapshotHistoryWindowInSeconds before the newest entry that a majority has, and not before
// what the history still holds.
wire::Timestamp oldest_snapshot(const Deployment& deployment);
// Throws 239 for a time before that.
void require_in_history(const Deployment& deployment, wire::Timestamp time);
// 246: the collection is younger, under its name, than the time it is to be read at.
CommandError snapshot_unavailable(wire::Timestamp time, const Collection& collection);
// 246 as well: of a capped collection only the newest state is read.
CommandError capped_in_snapshot();

// What one command reads by.
class Snapshot {
 public:
  Snapshot(const Deployment& deployment, wire::Timestamp time) : deployment_(deployment), time_(time) {}

  wire::Timestamp time() const { return time_; }
  // `found` (nullptr: the name stands for nothing) as it stood then, to be read with a view of that time. Throws 239 and 246.
  const Collection* as_of(const Collection* found);

 private:
  struct Past {
    Ledger ledger;  // before the collection, which refers to it
    std::unique_ptr<Collection> collection;
  };
  const Deployment& deployment_;
  wire::Timestamp time_;
  std::map<const Collection*, Past> past_;  // those read so far; a stage reads the same one many times
};

// That of the request; nullptr: it reads what is newest. Throws 123 where no snapshot can be.
std::shared_ptr<Snapshot> open_snapshot(const Context& context);

}  // namespace emulator
