#include "emulator/oplog.h"

#include <gtest/gtest.h>

#include "emulator/facts/oplog_facts.h"

namespace emulator {
namespace {

OplogEntry entry_at(std::uint32_t seconds, std::uint32_t increment) {
  OplogEntry entry;
  entry.time = {seconds, increment};
  wire::DocumentBuilder o;
  o.append_int32("_id", static_cast<std::int32_t>(increment));
  entry.o = o.finish();
  return entry;
}

Oplog filled(std::size_t count) {
  Oplog oplog;
  for (std::size_t i = 0; i < count; ++i) oplog.append(entry_at(100, static_cast<std::uint32_t>(i + 1)));
  return oplog;
}

TEST(Oplog, KeepsPositionsOfWhatStaysWhenOldEntriesGo) {
  Oplog oplog = filled(3000);
  oplog.truncate(2500);
  EXPECT_EQ(oplog.first(), 2500U);
  EXPECT_EQ(oplog.end(), 3000U);
  EXPECT_EQ(oplog.at(2999).time, (wire::Timestamp{100, 3000}));
  EXPECT_EQ(oplog.first_time(), (wire::Timestamp{100, 2501}));
}

TEST(Oplog, FindsTheFirstEntryNotBeforeATime) {
  Oplog oplog = filled(2000);
  EXPECT_EQ(oplog.lower_bound({100, 1}), 0U);
  EXPECT_EQ(oplog.lower_bound({100, 1500}), 1499U);
  EXPECT_EQ(oplog.lower_bound({100, 2001}), 2000U);
  oplog.truncate(100);
  EXPECT_EQ(oplog.lower_bound({0, 0}), 100U);
}

TEST(Oplog, ARangeOutlivesItsTruncation) {
  Oplog oplog = filled(2000);
  const Oplog::SegmentPtr held = oplog.segment(5);
  const OplogEntry* entry = &oplog.at(5);
  oplog.truncate(2000);
  EXPECT_EQ(entry->time, (wire::Timestamp{100, 6}));
  EXPECT_EQ(held->first, 0U);
}

TEST(Oplog, EntriesDoNotMoveWhileOthersAreAppended) {
  Oplog oplog = filled(1);
  const OplogEntry* first = &oplog.at(0);
  for (std::uint32_t i = 2; i < 1000; ++i) oplog.append(entry_at(100, i));
  EXPECT_EQ(first, &oplog.at(0));
}

TEST(Oplog, WeighsNothingOnceEverythingIsGone) {
  Oplog oplog = filled(1500);
  EXPECT_GT(oplog.bytes(), 0U);
  oplog.truncate(oplog.end());
  EXPECT_EQ(oplog.bytes(), 0U);
  EXPECT_TRUE(oplog.empty());
  oplog.append(entry_at(101, 1));
  EXPECT_EQ(oplog.first_time(), (wire::Timestamp{101, 1}));
}

TEST(Oplog, AnInsertIsShownWithItsDocumentKeyAsO2) {
  OplogEntry entry = entry_at(7, 9);
  entry.op = Op::Insert;
  entry.ns = std::make_shared<OplogNamespace>(OplogNamespace{"db", "c", {}});
  entry.has_uuid = true;
  entry.wall_ms = 7000;
  const wire::Document shown = oplog_document(entry, OplogFacts{});
  std::vector<std::string> names;
  for (const wire::Element& element : shown) names.emplace_back(element.name);
  EXPECT_EQ(names, (std::vector<std::string>{"op", "ns", "ui", "o", "o2", "ts", "t", "v", "wall"}));
  EXPECT_EQ(shown["ns"].as_string(), "db.c");
  EXPECT_EQ(shown["v"].as_int64(), 2);
  EXPECT_TRUE(shown["o2"].as_document().identical(shown["o"].as_document()));
}

}  // namespace
}  // namespace emulator
