#include "emulator/index_scan.h"

#include <gtest/gtest.h>

#include "emulator/engine.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

// The only field that the index has of the first document stands in an array.
class SparseIndex : public testing::Test {
 protected:
  void SetUp() override {
    run(R"({"createIndexes": "c", "indexes": [{"key": {"a.b": 1}, "name": "a.b_1", "sparse": true}]})");
    run(R"({"insert": "c", "documents": [{"_id": 1, "a": [{"b": 7}, {"b": 8}]}, {"_id": 2, "a": [{"c": 1}]}, {"_id": 3}]})");
  }
  wire::Document run(std::string_view json) { return engine_.run("d", wire::document_from_json(json), {}); }

  Engine engine_{DeploymentSpec{}, {}, nullptr};
};

TEST_F(SparseIndex, HoldsWhatHasItsFieldInAnArray) {
  const wire::Document reply = run(R"({"find": "c", "hint": "a.b_1"})");
  const wire::DocumentView batch = reply.find_path("cursor.firstBatch").as_document();
  ASSERT_EQ(batch.count(), 1U);
  EXPECT_EQ(batch.first().value.as_document()["_id"].as_int32(), 1);
}

TEST_F(SparseIndex, IsSaidByValidateToHaveTheseKeys) {
  EXPECT_EQ(run(R"({"validate": "c"})")["keysPerIndex"].as_document()["a.b_1"].as_int32(), 2);
}

}  // namespace
}  // namespace emulator
