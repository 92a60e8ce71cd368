#include "emulator/wait_list.h"

#include <gtest/gtest.h>

namespace emulator {
namespace {

using std::chrono::seconds;

WaitList::Id wait_for(WaitList& waits, WaitFor what, RealTime deadline = RealTime::max()) {
  Wait wait;
  wait.what = std::move(what);
  wait.deadline = deadline;
  return waits.add(std::make_unique<Exchange>(), std::move(wait));
}

std::vector<WaitList::Id> touched(WaitList& waits) {
  std::vector<WaitList::Id> out;
  while (const auto id = waits.next_touched()) out.push_back(*id);
  return out;
}

TEST(WaitList, AnEntryTouchesItsCollectionItsDatabaseAndTheCluster) {
  WaitList waits;
  const auto collection = wait_for(waits, WaitForOplog{"db", "c"});
  const auto database = wait_for(waits, WaitForOplog{"db", ""});
  const auto cluster = wait_for(waits, WaitForOplog{"", ""});
  wait_for(waits, WaitForOplog{"db", "other"});
  wait_for(waits, WaitForOplog{"db2", "c"});
  waits.touch_oplog("db", "c");
  EXPECT_EQ(touched(waits), (std::vector{collection, database, cluster}));
}

TEST(WaitList, ADatabaseCommandTouchesEveryStreamOfItsDatabaseOnly) {
  WaitList waits;
  const auto one = wait_for(waits, WaitForOplog{"db", "c"});
  const auto other = wait_for(waits, WaitForOplog{"db", "d"});
  wait_for(waits, WaitForOplog{"db2", "c"});
  waits.touch_database("db");
  EXPECT_EQ(touched(waits), (std::vector{one, other}));
}

TEST(WaitList, ThoseTouchedComeInOrderOfRegistration) {
  WaitList waits;
  const auto first = wait_for(waits, WaitForTopology{});
  const auto second = wait_for(waits, WaitForOplog{"db", "c"});
  waits.touch_oplog("db", "c");
  waits.touch_topology();
  EXPECT_EQ(touched(waits), (std::vector{first, second}));
}

TEST(WaitList, OnePutBackKeepsItsPlace) {
  WaitList waits;
  const auto first = wait_for(waits, WaitForOplog{"db", "c"});
  const auto second = wait_for(waits, WaitForOplog{"db", "c"});
  Waiter waiter = waits.take(first);
  waits.put_back(first, std::move(waiter.exchange), std::move(waiter.wait));
  waits.touch_oplog("db", "c");
  EXPECT_EQ(touched(waits), (std::vector{first, second}));
}

TEST(WaitList, TheEarliestDeadlineIsDueFirstAndNotBefore) {
  WaitList waits;
  wait_for(waits, WaitForTime{}, seconds(5));
  const auto sooner = wait_for(waits, WaitForTime{}, seconds(2));
  EXPECT_EQ(waits.earliest_deadline(), RealTime(seconds(2)));
  EXPECT_EQ(waits.next_due(seconds(1)), std::nullopt);
  EXPECT_EQ(waits.next_due(seconds(2)), sooner);
}

TEST(WaitList, OneTakenOutIsNeverTouchedOrDue) {
  WaitList waits;
  const auto id = wait_for(waits, WaitForHold{7}, seconds(1));
  waits.touch_hold(7);
  waits.take(id);
  EXPECT_TRUE(touched(waits).empty());
  EXPECT_EQ(waits.earliest_deadline(), std::nullopt);
}

}  // namespace
}  // namespace emulator
