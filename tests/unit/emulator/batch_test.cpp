#include "emulator/batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace emulator {
namespace {

using Seen = std::vector<std::tuple<OplogPosition, std::int32_t, std::int32_t>>;

Seen seen_in(const EventReferences& events) {
  Seen seen;
  for (const EventReference& event : events) seen.emplace_back(event.position, event.transaction_index, event.kind);
  return seen;
}

TEST(EventReferences, GiveBackWhatTheyWereGivenInOrder) {
  EventReferences events;
  EXPECT_TRUE(events.empty());
  EXPECT_EQ(events.begin(), events.end());
  events.append(7, 2);
  events.push_back({.position = 9});
  events.push_back({.position = 10, .transaction_index = 0, .kind = 1});  // an invalidate
  events.push_back({.position = 11, .transaction_index = 1});
  events.push_back({.position = 12});
  events.append(14, 1);
  EXPECT_EQ(seen_in(events), (Seen{{7, 0, 0}, {8, 0, 0}, {9, 0, 0}, {10, 0, 1}, {11, 1, 0}, {12, 0, 0}, {14, 0, 0}}));
  EXPECT_EQ(events.size(), 7U);
}

TEST(EventReferences, OfEntriesInARowTakeTheRoomOfOne) {
  EventReferences one;
  one.push_back({.position = 1});
  EventReferences many;
  many.append(1, 30'000);
  many.append(30'001, 1'000);
  EXPECT_EQ(many.bytes(), one.bytes());
  EXPECT_EQ(many.size(), 31'000U);
  EXPECT_EQ(std::ranges::distance(many), 31'000);
}

}  // namespace
}  // namespace emulator
