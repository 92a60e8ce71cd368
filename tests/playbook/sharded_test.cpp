// A router and its shards as one deployment: what a driver sees of topology sharded and loadBalanced.
#include <gtest/gtest.h>

#include "tests/support/playbook.h"
#include "wire/resume_token.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;
using emulator::Topology;

class Cluster {
 public:
  explicit Cluster(Topology topology = Topology::Sharded, const std::string& profile = "mongodb-7.0") {
    emulator::DeploymentSpec spec;
    spec.profile = profile;
    spec.topology = topology;
    spec.held_clock = emulator::SystemTime{std::chrono::days{20'000}};
    engine_ = std::make_unique<emulator::Engine>(std::move(spec), emulator::Now{1s, {}}, nullptr);
    world_ = std::make_unique<World>(Machine::of(*engine_), emulator::Now{1s, {}});
    world_->listen();
    world_->open(1);
  }
  wire::Document ask(std::string_view command) { return world_->ask(1, command); }
  void open_stream() {
    cursor_ =
        ask(R"({"aggregate": 1, "pipeline": [{"$changeStream": {"showExpandedEvents": true}}], "cursor": {}, "$db": "app"})")
            .find_path("cursor.id")
            .as_int64();
  }
  wire::Document events() {
    wire::DocumentBuilder more;
    more.append_int64("getMore", cursor_).append_string("collection", "$cmd.aggregate").append_string("$db", "app");
    world_->send(1, more.finish());
    world_->tick(2s);
    return *world_->take_reply(1);
  }
  World& world() { return *world_; }
  emulator::Engine& engine() { return *engine_; }

 private:
  std::unique_ptr<emulator::Engine> engine_;
  std::unique_ptr<World> world_;
  std::int64_t cursor_ = 0;
};

std::string types(const wire::Document& batch) {
  std::string text;
  for (const auto& [index, event] : batch.find_path("cursor.nextBatch").as_document())
    text += (text.empty() ? "" : " ") + std::string(event.as_document()["operationType"].as_string());
  return text;
}

std::string field_names(wire::DocumentView document) {
  std::string text;
  for (const wire::Element& element : document) text += (text.empty() ? "" : " ") + std::string(element.name);
  return text;
}

TEST(Sharded, ARouterSaysThatItIsOne) {
  Cluster cluster;
  const wire::Document hello = cluster.ask(R"({"hello": 1, "$db": "admin"})");
  EXPECT_EQ(hello["msg"].as_string(), "isdbgrid");
  EXPECT_TRUE(hello["isWritablePrimary"].as_bool());
  EXPECT_FALSE(hello.has("setName"));
  EXPECT_FALSE(hello.has("hosts"));
  EXPECT_FALSE(hello.has("serviceId"));
  EXPECT_EQ(field_names(hello),
            "isWritablePrimary msg topologyVersion maxBsonObjectSize maxMessageSizeBytes maxWriteBatchSize localTime "
            "logicalSessionTimeoutMinutes connectionId maxWireVersion minWireVersion ok $clusterTime operationTime");
}

TEST(Sharded, WriteRepliesTellNothingOfAnElection) {
  Cluster cluster;
  const wire::Document reply = cluster.ask(R"({"insert": "c", "documents": [{"_id": 1}], "$db": "app"})");
  EXPECT_EQ(field_names(reply), "n ok $clusterTime operationTime");
}

TEST(Sharded, DocumentKeysBeginWithTheShardKey) {
  Cluster cluster;
  cluster.ask(R"({"shardCollection": "app.c", "key": {"zone": 1, "at.x": 1}, "$db": "admin"})");
  cluster.open_stream();
  cluster.ask(
      R"({"insert": "c", "documents": [{"_id": 1, "at": {"x": 5}, "zone": "n", "v": 0}, {"_id": 2}], "$db": "app"})");
  cluster.ask(R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"v": 1}}}], "$db": "app"})");
  cluster.ask(R"({"delete": "c", "deletes": [{"q": {"_id": 1}, "limit": 1}], "$db": "app"})");
  const wire::Document batch = cluster.events();
  EXPECT_EQ(types(batch), "insert insert update delete");
  const wire::Document key = json(R"({"zone": "n", "at.x": 5, "_id": 1})");
  for (const std::string at : {"0", "2", "3"}) {
    const wire::Document event(batch.find_path("cursor.nextBatch." + at).as_document());
    EXPECT_TRUE(event["documentKey"].as_document().identical(key)) << at;
    const wire::ResumeToken token =
        wire::decode_resume_token(event["_id"].as_document(), wire::TokenDialect::Server60Split);
    EXPECT_TRUE(token.event_identifier.view().as_document()["documentKey"].as_document().identical(key)) << at;
  }
  EXPECT_EQ(field_names(batch.find_path("cursor.nextBatch.1.documentKey").as_document()), "_id");
}

TEST(Sharded, DocumentKeysOfTransactionsBeginWithTheShardKeyToo) {
  Cluster cluster;
  cluster.ask(R"({"shardCollection": "app.c", "key": {"zone": 1}, "$db": "admin"})");
  cluster.open_stream();
  const std::string session =
      R"(, "lsid": {"id": {"$binary": {"base64": "AAAAAAAAAAAAAAAAAAAAAA==", "subType": "04"}}}, "txnNumber": {"$numberLong": "1"}, "autocommit": false)";
  cluster.ask(R"({"insert": "c", "documents": [{"_id": 1, "zone": 7}], "$db": "app")" + session +
              R"(, "startTransaction": true})");
  cluster.ask(R"({"commitTransaction": 1, "$db": "admin")" + session + "}");
  EXPECT_EQ(field_names(cluster.events().find_path("cursor.nextBatch.0.documentKey").as_document()), "zone _id");
}

TEST(Sharded, ShardingAndResharingAreEventsOfTheirOwn) {
  Cluster cluster;
  cluster.open_stream();
  cluster.ask(R"({"shardCollection": "app.c", "key": {"a": 1}, "$db": "admin"})");
  cluster.ask(R"({"createIndexes": "c", "indexes": [{"key": {"a": 1, "b": 1}, "name": "ab"}], "$db": "app"})");
  cluster.ask(R"({"refineCollectionShardKey": "app.c", "key": {"a": 1, "b": 1}, "$db": "admin"})");
  cluster.ask(R"({"reshardCollection": "app.c", "key": {"b": 1}, "$db": "admin"})");
  cluster.ask(R"({"insert": "c", "documents": [{"_id": 1, "b": 3}], "$db": "app"})");
  const wire::Document batch = cluster.events();
  ASSERT_EQ(types(batch),
            "create createIndexes shardCollection createIndexes refineCollectionShardKey reshardCollection insert");
  const auto described = [&](const std::string& at) {
    return batch.find_path("cursor.nextBatch." + at + ".operationDescription").as_document();
  };
  EXPECT_EQ(field_names(described("2")), "shardKey unique numInitialChunks presplitHashedZones");
  EXPECT_EQ(field_names(described("4")), "shardKey oldShardKey");
  EXPECT_EQ(field_names(described("5")), "reshardUUID shardKey oldShardKey unique numInitialChunks");
  const wire::ValueView before = batch.find_path("cursor.nextBatch.5.collectionUUID");
  const wire::ValueView after = batch.find_path("cursor.nextBatch.6.collectionUUID");
  EXPECT_FALSE(before.identical(after));
  EXPECT_TRUE(after.identical(described("5")["reshardUUID"]));
}

TEST(Sharded, AStreamWithoutExpandedEventsSeesNothingOfSharding) {
  Cluster cluster;
  const std::int64_t cursor =
      cluster.ask(R"({"aggregate": 1, "pipeline": [{"$changeStream": {}}], "cursor": {}, "$db": "app"})")
          .find_path("cursor.id")
          .as_int64();
  cluster.ask(R"({"shardCollection": "app.c", "key": {"a": 1}, "$db": "admin"})");
  wire::DocumentBuilder more;
  more.append_int64("getMore", cursor).append_string("collection", "$cmd.aggregate").append_string("$db", "app");
  cluster.world().send(1, more.finish());
  cluster.world().tick(2s);
  EXPECT_EQ(types(*cluster.world().take_reply(1)), "");
}

TEST(Sharded, ChunksAreSplitAndMoved) {
  Cluster cluster;
  cluster.ask(R"({"shardCollection": "app.c", "key": {"a": 1}, "$db": "admin"})");
  EXPECT_EQ(cluster.ask(R"({"split": "app.c", "middle": {"a": 5}, "$db": "admin"})")["ok"].as_double(), 1.0);
  EXPECT_EQ(
      cluster.ask(R"({"moveChunk": "app.c", "find": {"a": 7}, "to": "shard02", "$db": "admin"})")["ok"].as_double(),
      1.0);
  EXPECT_EQ(
      cluster.ask(R"({"moveChunk": "app.c", "find": {"a": 7}, "to": "nowhere", "$db": "admin"})")["code"].as_int32(),
      70);
  const wire::Document chunks = cluster.ask(R"({"find": "chunks", "sort": {"min": 1}, "$db": "config"})");
  EXPECT_EQ(chunks.find_path("cursor.firstBatch.0.shard").as_string(), "shard01");
  EXPECT_EQ(chunks.find_path("cursor.firstBatch.1.shard").as_string(), "shard02");
  EXPECT_EQ(chunks.find_path("cursor.firstBatch.1.min.a").as_int32(), 5);
}

TEST(Sharded, AnErrorOfAShardSaysWhoseItIs) {
  Cluster cluster;
  cluster.ask(R"({"insert": "c", "documents": [{"_id": 1}], "$db": "app"})");
  auto& deployment = cluster.engine().deployment();
  deployment.truncate_oplog(deployment.oplog.end() - 1);
  const wire::Document reply = cluster.ask(
      R"({"aggregate": "c", "pipeline": [{"$changeStream": {"startAtOperationTime": {"$timestamp": {"t": 5, "i": 1}}}}], "cursor": {}, "$db": "app"})");
  EXPECT_EQ(reply["code"].as_int32(), 286);
  EXPECT_TRUE(reply["errmsg"].as_string().starts_with(
      "Error on remote shard 127.0.0.1:27018 :: caused by :: Executor error during getMore :: caused by :: Resume of"))
      << reply["errmsg"].as_string();
}

TEST(Sharded, AReplicaSetKnowsNoRoutersCommands) {
  Cluster set(Topology::ReplicaSet);
  EXPECT_EQ(set.ask(R"({"shardCollection": "app.c", "key": {"a": 1}, "$db": "admin"})")["code"].as_int32(), 59);
  EXPECT_EQ(set.ask(R"({"listShards": 1, "$db": "admin"})")["code"].as_int32(), 59);
  EXPECT_EQ(set.ask(R"({"isdbgrid": 1, "$db": "admin"})")["code"].as_int32(), 59);
}

TEST(LoadBalanced, WhoSaysSoIsGivenTheServicesId) {
  Cluster cluster(Topology::LoadBalanced);
  const wire::Document hello = cluster.ask(R"({"hello": 1, "loadBalanced": true, "$db": "admin"})");
  EXPECT_EQ(hello["msg"].as_string(), "isdbgrid");
  ASSERT_TRUE(hello["serviceId"].is(wire::Type::ObjectId));
  const wire::Document again = cluster.ask(R"({"hello": 1, "$db": "admin"})");
  EXPECT_TRUE(again["serviceId"].identical(hello["serviceId"]));
}

TEST(LoadBalanced, WhoDoesNotIsDisconnected) {
  Cluster cluster(Topology::LoadBalanced);
  cluster.world().send(1, json(R"({"hello": 1, "$db": "admin"})"));
  EXPECT_FALSE(cluster.world().has_reply(1));
  EXPECT_TRUE(cluster.world().ending(1));
}

TEST(Standalone, HasNoChangeStreams) {
  Cluster server(Topology::Standalone);
  EXPECT_EQ(server.ask(R"({"aggregate": "c", "pipeline": [{"$changeStream": {}}], "cursor": {}, "$db": "app"})")["code"]
                .as_int32(),
            40573);
}

}  // namespace
}  // namespace oplogue_test
