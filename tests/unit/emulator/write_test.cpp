#include "emulator/write.h"

#include <gtest/gtest.h>

#include "emulator/engine.h"
#include "emulator/images.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

DeploymentSpec held(const std::string& profile) {
  DeploymentSpec spec;
  spec.profile = profile;
  spec.held_clock = SystemTime(std::chrono::seconds(1'700'000'000));
  return spec;
}

class WriteTest : public testing::Test {
 protected:
  explicit WriteTest(DeploymentSpec spec = small()) : engine(std::move(spec), now, nullptr) {}
  static DeploymentSpec small() {
    DeploymentSpec spec = held("mongodb-6.0");
    spec.store_bytes = 2000;
    spec.image_bytes = 300;
    return spec;
  }

  wire::Document run(std::string_view db, std::string_view json) {
    return engine.run(db, wire::document_from_json(json), now);
  }
  const Oplog& oplog() { return engine.deployment().oplog; }
  const OplogEntry& last_entry() { return oplog().at(oplog().end() - 1); }

  Now now{};
  Engine engine;
};

TEST_F(WriteTest, PutsTheIdFirstAndLogsTheStoredDocument) {
  run("d", R"({"insert": "c", "documents": [{"a": 1, "_id": 7}]})");
  EXPECT_EQ(last_entry().op, Op::Insert);
  EXPECT_EQ(last_entry().o.view().first().name, "_id");
  const Collection* collection = engine.deployment().store.find("d", "c");
  EXPECT_TRUE(collection->find_by_id(wire::Value::int32(7), {}).same_buffer(last_entry().o));
}

TEST_F(WriteTest, AnswersAFullStoreWithOutOfDiskSpace) {
  const wire::Document first = run("d", R"({"insert": "c", "documents": [{"_id": 1}]})");
  EXPECT_EQ(first["n"].as_int32(), 1);
  const std::string large = R"({"insert": "c", "documents": [{"_id": 2, "t": ")" + std::string(2000, 'x') + R"("}]})";
  const wire::Document second = run("d", large);
  EXPECT_EQ(second["n"].as_int32(), 0);
  EXPECT_EQ(second.find_path("writeErrors.0.code").as_int32(), 14031);
  EXPECT_EQ(engine.deployment().store.find("d", "c")->count(), 1);
}

TEST_F(WriteTest, KeepsThePreImageOfAnUpdateUntilItsBytesAreNeeded) {
  run("d", R"({"create": "c", "changeStreamPreAndPostImages": {"enabled": true}})");
  run("d", R"({"insert": "c", "documents": [{"_id": 1, "a": 0}]})");
  const Uuid uuid = engine.deployment().store.find("d", "c")->uuid();
  run("d", R"({"update": "c", "updates": [{"q": {}, "u": {"$inc": {"a": 1}}}]})");
  const wire::Timestamp first = engine.deployment().cluster_time();
  EXPECT_EQ(find_pre_image(engine.deployment(), uuid, first, 0)["a"].as_int32(), 0);
  for (int i = 0; i < 3; ++i) run("d", R"({"update": "c", "updates": [{"q": {}, "u": {"$inc": {"a": 1}}}]})");
  EXPECT_TRUE(find_pre_image(engine.deployment(), uuid, first, 0).is_default());
  EXPECT_EQ(find_pre_image(engine.deployment(), uuid, engine.deployment().cluster_time(), 0)["a"].as_int32(), 3);
}

TEST_F(WriteTest, AppliesARetriedStatementOnce) {
  const std::string_view update =
      R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"a": 1}}, "upsert": true}],
      "lsid": {"id": {"$uuid": "00112233-4455-6677-8899-aabbccddeeff"}}, "txnNumber": {"$numberLong": "3"}})";
  run("d", update);
  const OplogPosition end = engine.deployment().oplog.end();
  const wire::Document retried = run("d", update);
  EXPECT_EQ(retried["n"].as_int32(), 1);
  EXPECT_EQ(retried.find_path("upserted.0._id").as_int32(), 1);
  EXPECT_TRUE(retried.has("retriedStmtIds"));
  EXPECT_EQ(engine.deployment().oplog.end(), end);
}

TEST_F(WriteTest, ShowsATransactionsWritesToOthersOnlyAfterItsCommit) {
  run("d", R"({"create": "c"})");
  const std::string in =
      R"(, "lsid": {"id": {"$uuid": "00112233-4455-6677-8899-aabbccddeeff"}}, "txnNumber": {"$numberLong": "1"},
      "autocommit": false)";
  run("d", R"({"insert": "c", "documents": [{"_id": 1}], "startTransaction": true)" + in + "}");
  EXPECT_EQ(run("d", R"({"count": "c"})")["n"].as_int32(), 0);
  EXPECT_EQ(run("d", R"({"distinct": "c", "key": "_id")" + in + "}").find_path("values.0").as_int32(), 1);
  const wire::Document conflict = run(
      "d",
      R"({"insert": "c", "documents": [{"_id": 1}], "lsid": {"id": {"$uuid": "99112233-4455-6677-8899-aabbccddeeff"}},
      "txnNumber": {"$numberLong": "1"}, "autocommit": false, "startTransaction": true})");
  EXPECT_EQ(conflict["code"].as_int32(), 112);
  run("admin", R"({"commitTransaction": 1)" + in + "}");
  EXPECT_EQ(run("d", R"({"count": "c"})")["n"].as_int32(), 1);
  EXPECT_EQ(last_entry().o.find_path("applyOps.0.o._id").as_int32(), 1);
}

TEST_F(WriteTest, LogsTheEndOfADatabaseWhoseCollectionsWereDroppedBeforeAndOnlyOnce) {
  const auto logs_the_end_of = [this](std::string_view db) {
    const OplogPosition end = engine.deployment().oplog.end();
    run(db, R"({"dropDatabase": 1})");
    return engine.deployment().oplog.end() != end && last_entry().o["dropDatabase"].as_int32() == 1;
  };
  EXPECT_FALSE(logs_the_end_of("never"));
  run("d", R"({"create": "c"})");
  run("d", R"({"drop": "c"})");
  EXPECT_TRUE(logs_the_end_of("d"));
  EXPECT_FALSE(logs_the_end_of("d"));
}

TEST_F(WriteTest, EvictsTheOldestOfACappedCollectionAfterTheInsert) {
  run("d", R"({"create": "c", "capped": true, "size": 4096, "max": 1})");
  run("d", R"({"insert": "c", "documents": [{"_id": 1}, {"_id": 2}]})");
  EXPECT_EQ(last_entry().op, Op::Delete);
  EXPECT_EQ(last_entry().o["_id"].as_int32(), 1);
  EXPECT_EQ(engine.deployment().store.find("d", "c")->count(), 1);
}

// What 8.0 and later log of one command that inserts several documents.
class InsertBatchTest : public WriteTest {
 protected:
  InsertBatchTest() : WriteTest(held("mongodb-8.0")) {}

  // Each entry's documents by their _id; a deletion's with a minus.
  std::vector<std::vector<std::int32_t>> logged(std::string_view db, const std::string& json) {
    const OplogPosition begin = oplog().end();
    EXPECT_EQ(run(db, json)["ok"].as_double(), 1);
    std::vector<std::vector<std::int32_t>> entries;
    for (OplogPosition position = begin; position < oplog().end(); ++position) {
      const OplogEntry& entry = oplog().at(position);
      if (entry.op == Op::Insert) entries.push_back({entry.o["_id"].as_int32()});
      if (entry.op == Op::Delete) entries.push_back({-entry.o["_id"].as_int32()});
      if (!entry.o.has("applyOps")) continue;
      entries.emplace_back();
      for (const wire::Element& operation : entry.o["applyOps"].as_document())
        entries.back().push_back(operation.value.as_document().find_path("o._id").as_int32());
    }
    return entries;
  }

  using Entries = std::vector<std::vector<std::int32_t>>;
};

TEST_F(InsertBatchTest, IsOneEntryThatEndsWithTheDocumentThatFillsIt) {
  EXPECT_EQ(logged("d", R"({"insert": "c", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}]})"), (Entries{{1, 2, 3}}));
  const std::string filler = R"(, "t": ")" + std::string(100'000, 'x') + R"("})";
  EXPECT_EQ(logged("d", R"({"insert": "c", "documents": [{"_id": 4)" + filler + R"(, {"_id": 5)" + filler +
                            R"(, {"_id": 6)" + filler + R"(, {"_id": 7)" + filler + "]}"),
            (Entries{{4, 5, 6}, {7}}));
}

TEST_F(InsertBatchTest, IsLoggedOneByOneWhenOneOfItIsRefused) {
  const std::string documents = R"("documents": [{"_id": 1}, {"_id": 2}, {"_id": 2}, {"_id": 3}, {"_id": 4}]})";
  EXPECT_EQ(logged("d", R"({"insert": "c", "ordered": false, )" + documents), (Entries{{1}, {2}, {3}, {4}}));
  EXPECT_EQ(logged("d", R"({"insert": "e", )" + documents), (Entries{{1}, {2}}));
  EXPECT_EQ(engine.deployment().store.find("d", "e")->count(), 2);
}

TEST_F(InsertBatchTest, BeginsAnewAfterWhatCouldNotBeTried) {
  EXPECT_EQ(
      logged("d", R"({"insert": "c", "ordered": false, "documents": [{"_id": 1}, {"_id": 2}, {"_id": [0]}, {"_id": 3},
                        {"_id": 4}]})"),
      (Entries{{1, 2}, {3, 4}}));
}

TEST_F(InsertBatchTest, IsThatOfConsecutiveInsertsIntoOneCollectionInABulkWrite) {
  EXPECT_EQ(logged("admin", R"({"bulkWrite": 1, "nsInfo": [{"ns": "d.a"}, {"ns": "d.b"}], "ops": [
              {"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 2}}, {"insert": 1, "document": {"_id": 3}},
              {"insert": 0, "document": {"_id": 4}}, {"insert": 0, "document": {"_id": 5}}, {"delete": 0, "filter": {"_id": 1}},
              {"insert": 0, "document": {"_id": 6}}]})"),
            (Entries{{1, 2}, {3}, {4, 5}, {-1}, {6}}));
}

TEST_F(InsertBatchTest, IsNoneInACappedCollection) {
  engine.run("d", wire::document_from_json(R"({"create": "c", "capped": true, "size": 4096, "max": 2})"), now);
  EXPECT_EQ(logged("d", R"({"insert": "c", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}, {"_id": 4}]})"),
            (Entries{{1}, {2}, {3}, {-1}, {4}, {-2}}));
}

}  // namespace
}  // namespace emulator
