#include "emulator/store/collection.h"

#include "tests/unit/emulator/store/collection_fixture.h"

namespace emulator {
namespace {

wire::Document unique_on_a() {
  wire::DocumentBuilder builder;
  builder.append_int32("v", 2).append_bool("unique", true);
  builder.begin_document("key").append_int32("a", 1).end();
  return builder.append_string("name", "a_1").finish();
}

class CollectionTest : public CollectionFixture {
 protected:
  std::int32_t value(const wire::Document& found) { return found.is_default() ? -1 : found["a"].as_int32(); }
};

TEST_F(CollectionTest, FindsADocumentByAnyNumberEqualToItsId) {
  Collection& collection = make();
  collection.insert(document(7, 70), {at(1)});
  EXPECT_EQ(value(collection.find_by_id(wire::Value::number(7.0), {})), 70);
  EXPECT_EQ(value(collection.find_by_id(wire::Value::int64(8), {})), -1);
}

TEST_F(CollectionTest, KeepsOldVersionsOnlyWhileAReaderMaySeeThem) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  store.hold(at(1));
  collection.update(record, document(1, 20), {at(2)});
  collection.remove(record, {at(3)});
  EXPECT_EQ(value(collection.read(record, {at(1), 0})), 10);
  EXPECT_EQ(value(collection.read(record, {at(2), 0})), 20);
  EXPECT_EQ(value(collection.read(record, {at(3), 0})), -1);
  EXPECT_EQ(store.bytes(), document(1, 10).size() * 2);
  store.release(at(1));
  EXPECT_EQ(store.bytes(), 0U);
  EXPECT_EQ(collection.count(), 0);
}

TEST_F(CollectionTest, ShowsAnOpenTransactionsWritesToItselfOnly) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  collection.update(record, document(1, 20), {{}, 5});
  const RecordId added = collection.insert(document(2, 30), {{}, 5});
  EXPECT_EQ(value(collection.read(record, {at(1), 5})), 20);
  EXPECT_EQ(value(collection.read(record, {})), 10);
  EXPECT_EQ(value(collection.read(added, {})), -1);
  EXPECT_EQ(collection.count(), 1);
  EXPECT_TRUE(collection.conflicts(record, {}));
  EXPECT_FALSE(collection.conflicts(record, {at(1), 5}));
  collection.commit(record, 5, at(2));
  collection.commit(added, 5, at(2));
  EXPECT_EQ(value(collection.read(record, {})), 20);
  EXPECT_EQ(collection.count(), 2);
  EXPECT_EQ(store.bytes(), document(1, 1).size() * 2);
}

TEST_F(CollectionTest, ForgetsAnAbortedTransactionsWrites) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  collection.remove(record, {{}, 5});
  const RecordId added = collection.insert(document(2, 30), {{}, 5});
  collection.abort(record, 5);
  collection.abort(added, 5);
  EXPECT_EQ(value(collection.find_by_id(wire::Value::int32(1), {})), 10);
  EXPECT_FALSE(collection.record_of_id(wire::Value::int32(2), {at(9), 5}));
  EXPECT_EQ(collection.check(document(2, 30), 0, {}).obstacle, Obstacle::None);
  EXPECT_EQ(store.bytes(), document(1, 10).size());
}

TEST_F(CollectionTest, ReportsADuplicateIdAndAConflictingTransaction) {
  Collection& collection = make();
  collection.insert(document(1, 10), {at(1)});
  const Conflict duplicate = collection.check(document(1, 99), 0, {});
  EXPECT_EQ(duplicate.obstacle, Obstacle::DuplicateKey);
  EXPECT_EQ(duplicate.key["_id"].as_int32(), 1);
  collection.insert(document(2, 20), {{}, 3});
  EXPECT_EQ(collection.check(document(2, 99), 0, {}).obstacle, Obstacle::WriteConflict);
  EXPECT_EQ(collection.check(document(2, 99), 0, {at(1), 3}).obstacle, Obstacle::DuplicateKey);
}

TEST_F(CollectionTest, EnforcesUniqueIndexesOverTheNewestVersions) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  ASSERT_EQ(collection.add_index(IndexSpec(unique_on_a())).obstacle, Obstacle::None);
  const Conflict conflict = collection.check(document(2, 10), 0, {});
  EXPECT_EQ(conflict.obstacle, Obstacle::DuplicateKey);
  EXPECT_EQ(conflict.key["a"].as_int32(), 10);
  EXPECT_EQ(collection.check(document(1, 10), record, {}).obstacle, Obstacle::None);
  store.hold(at(1));
  collection.update(record, document(1, 11), {at(2)});
  EXPECT_EQ(collection.check(document(2, 10), 0, {}).obstacle, Obstacle::None);
  EXPECT_EQ(collection.check(document(2, 11), 0, {}).obstacle, Obstacle::DuplicateKey);
}

TEST_F(CollectionTest, RefusesAUniqueIndexOverDuplicates) {
  Collection& collection = make();
  collection.insert(document(1, 10), {at(1)});
  collection.insert(document(2, 10), {at(2)});
  EXPECT_EQ(collection.add_index(IndexSpec(unique_on_a())).obstacle, Obstacle::DuplicateKey);
  EXPECT_EQ(collection.find_index("a_1"), nullptr);
}

TEST_F(CollectionTest, ForgetsDeletedSlotsAndStillFindsTheRest) {
  Collection& collection = make();
  std::vector<RecordId> records;
  for (std::int32_t i = 0; i < 1000; ++i) records.push_back(collection.insert(document(i, i), {at(1)}));
  for (std::size_t i = 0; i < 1000; ++i)
    if (i % 10 != 0) collection.remove(records[i], {at(2)});
  int seen = 0;
  collection.scan(records[500], {}, [&](RecordId, const wire::Document& found) {
    EXPECT_EQ(value(found) % 10, 0);
    return ++seen > 0;
  });
  EXPECT_EQ(seen, 49);
  EXPECT_EQ(value(collection.find_by_id(wire::Value::int32(990), {})), 990);
}

TEST_F(CollectionTest, NamesTheOldestDocumentOfAFullCappedCollection) {
  wire::DocumentBuilder options;
  Collection& collection =
      make(options.append_bool("capped", true).append_int32("size", 4096).append_int32("max", 2).finish());
  const RecordId first = collection.insert(document(1, 1), {at(1)});
  collection.insert(document(2, 1), {at(2)});
  EXPECT_EQ(collection.surplus(), std::nullopt);
  collection.insert(document(3, 1), {at(3)});
  EXPECT_EQ(collection.surplus(), first);
}

TEST(Index, GivesOneKeyForEachDistinctElementOfAnArray) {
  wire::DocumentBuilder spec;
  spec.begin_document("key").append_int32("a.b", 1).append_int32("c", 1).end().append_string("name", "i");
  const Index index{IndexSpec(spec.finish())};
  wire::DocumentBuilder builder;
  builder.begin_array("a");
  for (const std::int32_t b : {1, 2, 1}) builder.begin_document(builder.item_name()).append_int32("b", b).end();
  const std::vector<wire::Document> keys = index.keys(builder.end().finish());
  ASSERT_EQ(keys.size(), 2U);
  EXPECT_EQ(index.named(keys[1])["a.b"].as_int32(), 2);
  EXPECT_TRUE(index.named(keys[1])["c"].is(wire::Type::Null));
}

}  // namespace
}  // namespace emulator
