// Reads with readConcern "snapshot" outside of transactions, in virtual time; the answers are those of mongod 6.0.5.
#include <gtest/gtest.h>

#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

class SnapshotPlay : public testing::Test {
 protected:
  void SetUp() override {
    world_.listen();
    world_.open(1);
    inserted_ = time_of(ask(R"({"insert": "c", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}], "$db": "app"})"));
  }
  wire::Document ask(std::string_view command) { return world_.ask(1, command); }
  static wire::Timestamp time_of(const wire::Document& reply) { return reply["operationTime"].as_timestamp(); }
  void set(int id, int a) {
    ask(R"({"update": "c", "updates": [{"q": {"_id": )" + std::to_string(id) + R"(}, "u": {"$set": {"a": )" +
        std::to_string(a) + R"(}}}], "$db": "app"})");
  }
  wire::Document read(const std::string& command, wire::Timestamp time) {
    return ask("{" + command + R"(, "readConcern": {"level": "snapshot", "atClusterTime": {"$timestamp": {"t": )" +
               std::to_string(time.seconds) + R"(, "i": )" + std::to_string(time.increment) + R"(}}}, "$db": "app"})");
  }
  static std::int32_t code(const wire::Document& reply) {
    return reply["code"].missing() ? 0 : reply["code"].as_int32();
  }
  void advance(std::chrono::milliseconds by) {
    engine_->deployment().clock.advance(by);
    world_.input(emulator::Woken{});  // a held clock moves inside a step
  }

  static constexpr const char* find_first = R"("find": "c", "filter": {"_id": 1})";
  static constexpr const char* first_a = "cursor.firstBatch.0.a";

  std::unique_ptr<emulator::Engine> engine_ = fresh_engine("mongodb-6.0")();
  World world_{Machine::of(*engine_), {1s, {}}};
  wire::Timestamp inserted_{};
};

TEST_F(SnapshotPlay, ATimeIsReadUntilTheWindowHasPassedIt) {
  set(1, 2);
  advance(299s);
  set(2, 2);
  EXPECT_EQ(read(find_first, inserted_).find_path(first_a).as_int32(), 1);
  advance(3s);
  set(2, 3);
  const wire::Document reply = read(find_first, inserted_);
  EXPECT_EQ(code(reply), 239);
  EXPECT_TRUE(reply["errmsg"].as_string().ends_with("is older than the oldest available timestamp."));
}

TEST_F(SnapshotPlay, TheWindowIsAServerParameter) {
  set(1, 2);
  ask(R"({"setParameter": 1, "minSnapshotHistoryWindowInSeconds": 5, "$db": "admin"})");
  advance(10s);
  set(2, 2);
  EXPECT_EQ(code(read(find_first, inserted_)), 239);
}

TEST_F(SnapshotPlay, TheHistoryOfAQuietDeploymentIsForgottenInTime) {
  set(1, 2);
  EXPECT_GT(engine_->deployment().store.history().bytes(), 0U);
  // The server's own no-ops move its time on.
  for (int i = 0; i < 40; ++i) advance(10s);
  EXPECT_EQ(engine_->deployment().store.history().bytes(), 0U);
}

TEST_F(SnapshotPlay, ACursorReadsOnAtItsTimeAndEndsWhenThatIsGone) {
  const wire::Document opened = read(R"("find": "c", "batchSize": 1)", inserted_);
  const std::string more = R"({"getMore": {"$numberLong": ")" +
                           std::to_string(opened.find_path("cursor.id").as_int64()) +
                           R"("}, "collection": "c", "batchSize": 1, "$db": "app"})";
  set(2, 2);
  const wire::Document next = ask(more);
  EXPECT_EQ(next.find_path("cursor.nextBatch.0.a").as_int32(), 1);
  EXPECT_EQ(next.find_path("cursor.atClusterTime").as_timestamp(), inserted_);
  advance(301s);
  set(2, 3);
  EXPECT_EQ(code(ask(more)), 239);
  EXPECT_EQ(code(ask(more)), 43);
}

TEST_F(SnapshotPlay, ATransactionIsSeenFromItsCommitOn) {
  const std::string session =
      R"("lsid": {"id": {"$binary": {"base64": "AAAAAAAAAAAAAAAAAAAAAA==", "subType": "04"}}}, "txnNumber": {"$numberLong": "1"}, "autocommit": false)";
  ask(R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 5}}}], )" + session +
      R"(, "startTransaction": true, "$db": "app"})");
  set(2, 2);
  const wire::Timestamp before = engine_->deployment().cluster_time();
  ask(R"({"commitTransaction": 1, )" + session + R"(, "$db": "admin"})");
  EXPECT_EQ(read(find_first, before).find_path(first_a).as_int32(), 1);
  EXPECT_EQ(read(find_first, engine_->deployment().cluster_time()).find_path(first_a).as_int32(), 5);
}

}  // namespace
}  // namespace oplogue_test
