#include "emulator/store/history.h"

#include "tests/unit/emulator/store/collection_fixture.h"

namespace emulator {
namespace {

class PastTest : public CollectionFixture {
 protected:
  // What a read of that time finds, as id:value.
  static std::string then(const Collection& collection, wire::Timestamp time) {
    Ledger ledger;
    const std::unique_ptr<Collection> past = collection.as_of(time, ledger);
    std::string out;
    (past ? *past : collection).scan(0, {time, 0}, [&](RecordId, const wire::Document& found) {
      out += std::to_string(found["_id"].as_int32()) + ":" + std::to_string(found["a"].as_int32()) + " ";
      return true;
    });
    return out;
  }
};

TEST_F(PastTest, ShowsACollectionAsItStoodAtEachTime) {
  Collection& collection = make();
  const RecordId first = collection.insert(document(1, 10), {at(1)});
  const RecordId second = collection.insert(document(2, 20), {at(2)});
  collection.update(first, document(1, 11), {at(3)});
  collection.remove(second, {at(4)});
  collection.insert(document(2, 22), {at(5)});
  collection.update(first, document(1, 12), {at(6)});
  EXPECT_EQ(then(collection, at(1)), "1:10 ");
  EXPECT_EQ(then(collection, at(2)), "1:10 2:20 ");
  EXPECT_EQ(then(collection, at(3)), "1:11 2:20 ");
  EXPECT_EQ(then(collection, at(4)), "1:11 ");
  EXPECT_EQ(then(collection, at(5)), "1:11 2:22 ");
  EXPECT_EQ(then(collection, at(6)), "1:12 2:22 ");
}

TEST_F(PastTest, FindsThenByTheIdThatADocumentHadThen) {
  Collection& collection = make();
  collection.remove(collection.insert(document(7, 1), {at(1)}), {at(2)});
  Ledger ledger;
  const auto past = collection.as_of(at(1), ledger);
  ASSERT_NE(past, nullptr);
  EXPECT_FALSE(past->find_by_id(wire::Value::number(7.0), {at(1), 0}).is_default());
  EXPECT_TRUE(collection.find_by_id(wire::Value::number(7.0), {}).is_default());
}

TEST_F(PastTest, InsertsAloneLeaveNoHistory) {
  Collection& collection = make();
  for (std::int32_t i = 1; i <= 100; ++i) collection.insert(document(i, i), {at(static_cast<std::uint32_t>(i))});
  EXPECT_EQ(store.history().bytes(), 0U);
  Ledger ledger;
  EXPECT_EQ(collection.as_of(at(50), ledger), nullptr);
  EXPECT_EQ(then(collection, at(2)), "1:1 2:2 ");
}

TEST_F(PastTest, ATransactionsWritesStandFromItsCommitOn) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  store.hold(at(1));
  collection.update(record, document(1, 20), {{}, 5});
  collection.update(record, document(1, 30), {{}, 5});
  EXPECT_EQ(then(collection, at(1)), "1:10 ");
  collection.commit(record, 5, at(3));
  store.release(at(1));
  EXPECT_EQ(then(collection, at(2)), "1:10 ");
  EXPECT_EQ(then(collection, at(3)), "1:30 ");
}

TEST_F(PastTest, AnAbortedTransactionLeavesNoHistory) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  collection.update(record, document(1, 20), {{}, 5});
  collection.abort(record, 5);
  EXPECT_EQ(store.history().bytes(), 0U);
  EXPECT_EQ(then(collection, at(1)), "1:10 ");
}

TEST_F(PastTest, CappedCollectionsKeepNoHistory) {
  wire::DocumentBuilder options;
  Collection& collection = make(options.append_bool("capped", true).append_int32("size", 4096).finish());
  collection.remove(collection.insert(document(1, 10), {at(1)}), {at(2)});
  EXPECT_EQ(store.history().bytes(), 0U);
}

TEST_F(PastTest, WhatNobodyMayReadIsForgotten) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 10), {at(1)});
  collection.update(record, document(1, 20), {at(2)});
  collection.update(record, document(1, 30), {at(3)});
  store.history().forget_before(at(2));
  EXPECT_EQ(store.history().oldest(), at(2));
  EXPECT_EQ(then(collection, at(2)), "1:20 ");
  store.history().forget_before(at(3));
  EXPECT_EQ(store.history().bytes(), 0U);
}

TEST_F(PastTest, AboveItsBoundTheOldestGoesAndIsSaidToBeGone) {
  Collection& collection = make();
  const RecordId record = collection.insert(document(1, 0), {at(1)});
  store.history().set_bytes_max(1000);
  for (std::int32_t i = 2; i <= 50; ++i) collection.update(record, document(1, i), {at(static_cast<std::uint32_t>(i))});
  EXPECT_LE(store.history().bytes(), 1000U);
  const wire::Timestamp oldest = store.history().oldest();
  EXPECT_GT(oldest, at(2));
  EXPECT_LT(oldest, at(50));
  EXPECT_EQ(then(collection, oldest), "1:" + std::to_string(oldest.increment) + " ");
}

TEST_F(PastTest, WhereNobodyReadsThePastNothingIsKept) {
  Collection& collection = make();
  store.history().set_bytes_max(0);
  collection.update(collection.insert(document(1, 10), {at(1)}), document(1, 20), {at(2)});
  EXPECT_EQ(store.history().bytes(), 0U);
}

TEST_F(PastTest, AnIndexIsNotThereBeforeItWasReady) {
  Collection& collection = make();
  collection.insert(document(1, 10), {at(1)});
  wire::DocumentBuilder builder;
  builder.append_int32("v", 2).begin_document("key").append_int32("a", 1).end();
  collection.add_index(IndexSpec(builder.append_string("name", "a_1").finish()));
  collection.set_index_ready("a_1", at(2));
  Ledger ledger;
  const auto before = collection.as_of(at(1), ledger);
  ASSERT_NE(before, nullptr);
  EXPECT_EQ(before->find_index("a_1"), nullptr);
  EXPECT_EQ(collection.as_of(at(2), ledger), nullptr);
}

}  // namespace
}  // namespace emulator
