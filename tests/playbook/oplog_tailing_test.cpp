// Following local.oplog.rs by a tailable cursor, as Meteor and the change-data subscribers of old do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fake_client.h"
#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t writer = 1;
constexpr std::uint64_t tail = 2;

// A small deployment with a client that writes and one that tails.
class Deployment {
 public:
  explicit Deployment(emulator::DeploymentSpec spec = {}) : engine_(std::move(spec), emulator::Now{1s, {}}, nullptr) {
    world_.listen();
    world_.open(writer);
    world_.open(tail);
  }

  wire::Document run(std::uint64_t connection, wire::DocumentView command) {
    world_.send(connection, command);
    const auto reply = world_.take_reply(connection);
    return reply.value_or(wire::Document());
  }
  wire::Document write(std::string_view command) { return run(writer, json(command)); }
  World& world() { return world_; }

 private:
  emulator::Engine engine_;
  World world_{Machine::of(engine_), {1s, {}}};
};

// What a tail reads next, as "op ns" of each entry.
std::vector<std::string> entries(wire::DocumentView reply, std::string_view batch) {
  std::vector<std::string> out;
  const wire::ValueView array = reply.find_path("cursor." + std::string(batch));
  if (!array) return out;
  for (const auto& [index, entry] : array.as_document())
    out.push_back(std::string(entry.as_document()["op"].as_string()) + " " +
                  std::string(entry.as_document()["ns"].as_string()));
  return out;
}

wire::Document tailing_find(wire::DocumentView filter) {
  wire::DocumentBuilder out;
  out.append_string("find", "oplog.rs").append_document("filter", filter);
  for (const std::string_view option : {"tailable", "awaitData", "oplogReplay", "noCursorTimeout"})
    out.append_bool(option, true);
  out.append_string("$db", "local");
  return out.finish();
}

wire::Document get_more(wire::DocumentView opened) {
  wire::DocumentBuilder out;
  out.append("getMore", opened.find_path("cursor.id")).append_string("collection", "oplog.rs");
  out.append_int64("maxTimeMS", 1000).append_string("$db", "local");
  return out.finish();
}

// The newest entry's time, as a client that begins takes it.
wire::Timestamp newest(Deployment& deployment) {
  const wire::Document reply = deployment.run(
      tail, json(R"({"find": "oplog.rs", "sort": {"$natural": -1}, "limit": 1, "singleBatch": true, "$db": "local"})"));
  return reply.find_path("cursor.firstBatch.0.ts").as_timestamp();
}

wire::Document later_than(wire::Timestamp ts) {
  wire::DocumentBuilder out;
  out.begin_document("ts").append_timestamp("$gt", ts).end();
  return out.finish();
}

// Meteor's, of database app.
wire::Document meteor_filter(wire::Timestamp ts) {
  const wire::Document rest = json(R"json({
    "ns": {"$regularExpression": {"pattern": "^(?:app\\.|admin\\.\\$cmd)", "options": ""}},
    "$or": [{"op": {"$in": ["i", "u", "d"]}},
            {"op": "c", "o.drop": {"$exists": true}},
            {"op": "c", "o.dropDatabase": 1},
            {"op": "c", "o.applyOps": {"$exists": true}}]})json");
  wire::DocumentBuilder out;
  out.append_all(rest).append_all(later_than(ts));
  return out.finish();
}

TEST(OplogTailing, MeteorsQueryFindsWritesAndDropsOfItsDatabaseAndTransactions) {
  Deployment deployment;
  deployment.write(R"({"create": "items", "$db": "app"})");
  const wire::Document opened = deployment.run(tail, tailing_find(meteor_filter(newest(deployment))));
  EXPECT_TRUE(entries(opened, "firstBatch").empty());
  deployment.write(R"({"insert": "items", "documents": [{"_id": 1}], "$db": "app"})");
  deployment.write(R"({"insert": "items", "documents": [{"_id": 1}], "$db": "other"})");
  deployment.write(R"({"update": "items", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 1}}}], "$db": "app"})");
  deployment.write(R"({"createIndexes": "items", "indexes": [{"key": {"a": 1}, "name": "a_1"}], "$db": "app"})");
  const wire::Document session = json(R"({"id": {"$uuid": "00000000-0000-4000-8000-000000000001"}})");
  wire::DocumentBuilder insert;
  insert.append_all(json(R"({"insert": "items", "documents": [{"_id": 2}]})")).append_document("lsid", session);
  insert.append_int64("txnNumber", 1).append_bool("startTransaction", true).append_bool("autocommit", false);
  deployment.run(writer, insert.append_string("$db", "app").finish());
  wire::DocumentBuilder commit;
  commit.append_int32("commitTransaction", 1).append_document("lsid", session).append_int64("txnNumber", 1);
  deployment.run(writer, commit.append_bool("autocommit", false).append_string("$db", "admin").finish());
  deployment.write(R"({"delete": "items", "deletes": [{"q": {"_id": 1}, "limit": 1}], "$db": "app"})");
  deployment.write(R"({"drop": "items", "$db": "app"})");
  deployment.write(R"({"create": "items", "$db": "app"})");
  deployment.write(R"({"dropDatabase": 1, "$db": "app"})");
  const std::vector<std::string> expected{"i app.items", "u app.items", "c admin.$cmd", "d app.items",
                                          "c app.$cmd",  // drop
                                          "c app.$cmd",  // drop, by dropDatabase
                                          "c app.$cmd"};
  EXPECT_EQ(entries(deployment.run(tail, get_more(opened)), "nextBatch"), expected);
}

TEST(OplogTailing, AWaitingTailIsAnsweredByTheEntryAndAnIdleOneAfterItsTime) {
  Deployment deployment;
  deployment.write(R"({"create": "items", "$db": "app"})");
  const wire::Document opened = deployment.run(tail, tailing_find(meteor_filter(newest(deployment))));
  World& world = deployment.world();
  world.send(tail, get_more(opened));
  EXPECT_FALSE(world.has_reply(tail));
  deployment.write(R"({"insert": "items", "documents": [{"_id": 1}], "$db": "other"})");
  EXPECT_FALSE(world.has_reply(tail));
  deployment.write(R"({"insert": "items", "documents": [{"_id": 1}], "$db": "app"})");
  const auto batch = world.take_reply(tail);
  ASSERT_TRUE(batch);
  EXPECT_EQ(entries(*batch, "nextBatch"), std::vector<std::string>{"i app.items"});
  world.send(tail, get_more(opened));
  world.tick(999ms);
  EXPECT_FALSE(world.has_reply(tail));
  world.tick(1ms);
  EXPECT_TRUE(world.has_reply(tail));
}

TEST(OplogTailing, ASavedTimeGoesOnAfterTheEntryItCameFrom) {
  Deployment deployment;
  const wire::Timestamp before = newest(deployment);
  for (int id = 1; id <= 3; ++id)
    deployment.write(R"({"insert": "items", "documents": [{"_id": )" + std::to_string(id) + R"(}], "$db": "app"})");
  const wire::Document first = deployment.run(tail, tailing_find(meteor_filter(before)));
  const wire::Timestamp saved = first.find_path("cursor.firstBatch.1.ts").as_timestamp();
  const wire::Document again = deployment.run(tail, tailing_find(meteor_filter(saved)));
  ASSERT_EQ(entries(again, "firstBatch").size(), 1U);
  EXPECT_EQ(again.find_path("cursor.firstBatch.0.o._id").as_int32(), 3);
}

TEST(OplogTailing, ATailWhosePlaceHasLeftTheOplogIsTold) {
  emulator::DeploymentSpec spec;
  spec.oplog_bytes = 20'000;
  Deployment deployment(spec);
  deployment.write(R"({"create": "items", "$db": "app"})");
  const wire::Timestamp start = newest(deployment);
  const wire::Document opened = deployment.run(tail, tailing_find(later_than(start)));
  for (int id = 0; id < 1000; ++id)
    deployment.write(R"({"insert": "items", "documents": [{"_id": )" + std::to_string(id) + R"(}], "$db": "app"})");
  const wire::Document lost = deployment.run(tail, get_more(opened));
  EXPECT_EQ(lost["code"].as_int32(), 136);
  EXPECT_EQ(deployment.run(tail, get_more(opened))["code"].as_int32(), 43);  // the cursor is gone
  // A new one from the same time begins with what is left, as a find does that asks for no more than later times.
  const wire::Document reopened = deployment.run(tail, tailing_find(later_than(start)));
  EXPECT_GT(reopened.find_path("cursor.firstBatch.0.o._id").as_int32(), 0);
}

}  // namespace
}  // namespace oplogue_test
