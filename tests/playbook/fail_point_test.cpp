#include <gtest/gtest.h>

#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

class FailPoint : public testing::Test {
 protected:
  void SetUp() override {
    world_.listen();
    world_.open(1);
    world_.send(1, json(R"({"hello": 1, "client": {"application": {"name": "tested"}}, "$db": "admin"})"));
    world_.take_reply(1);
  }
  wire::Document ask(std::string_view command) { return world_.ask(1, command); }
  int code(std::string_view command) {
    const wire::Document reply = ask(command);
    return reply.has("code") ? reply["code"].as_int32() : 0;
  }
  std::int64_t opened_stream() {
    return ask(R"({"aggregate": "c", "pipeline": [{"$changeStream": {}}], "cursor": {}, "$db": "app"})")
        .find_path("cursor.id")
        .as_int64();
  }
  wire::Document get_more(std::int64_t cursor) {
    wire::DocumentBuilder command;
    command.append_int64("getMore", cursor)
        .append_string("collection", "c")
        .append_int64("maxTimeMS", 1)
        .append_string("$db", "app");
    world_.send(1, command.finish());
    world_.tick(10ms);
    return *world_.take_reply(1);
  }

  std::unique_ptr<emulator::Engine> engine_ = fresh_engine()();
  World world_{Machine::of(*engine_), {1s, {}}};
};

TEST_F(FailPoint, FailsCommandsOfItsNamesSoOften) {
  EXPECT_EQ(
      ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 2}, "data": {"failCommands": ["PING"], "errorCode": 10107},
                    "$db": "admin"})")["ok"]
          .as_double(),
      1.0);
  EXPECT_EQ(code(R"({"buildInfo": 1, "$db": "admin"})"), 0);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 10107);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 10107);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
  EXPECT_EQ(ask(R"({"configureFailPoint": "failCommand", "mode": "off", "$db": "admin"})")["count"].as_int32(), 2);
}

TEST_F(FailPoint, TimesZeroStillFiresOnce) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 0}, "data": {"failCommands": ["ping"], "errorCode": 2}, "$db": "admin"})");
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 2);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
}

TEST_F(FailPoint, SkipsThenStaysOn) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"skip": 1}, "data": {"failCommands": ["ping"], "errorCode": 2}, "$db": "admin"})");
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 2);
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 2);
}

TEST_F(FailPoint, AnotherApplicationIsLeftAlone) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["ping"], "errorCode": 2, "appName": "x"},
          "$db": "admin"})");
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
}

TEST_F(FailPoint, ClosesTheConnection) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": {"failCommands": ["ping"], "closeConnection": true},
          "$db": "admin"})");
  world_.send(1, json(R"({"ping": 1, "$db": "admin"})"));
  EXPECT_FALSE(world_.has_reply(1));
  EXPECT_TRUE(world_.ending(1));
}

TEST_F(FailPoint, BlocksSoLong) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": {"failCommands": ["ping"], "blockConnection": true,
          "blockTimeMS": 100}, "$db": "admin"})");
  world_.send(1, json(R"({"ping": 1, "$db": "admin"})"));
  world_.tick(99ms);
  EXPECT_FALSE(world_.has_reply(1));
  world_.tick(1ms);
  EXPECT_TRUE(world_.has_reply(1));
}

TEST_F(FailPoint, AWriteConcernErrorStandsBesideTheReply) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": {"failCommands": ["insert"],
          "writeConcernError": {"code": 91, "errmsg": "later"}, "errorLabels": ["RetryableWriteError"]}, "$db": "admin"})");
  const wire::Document reply = ask(R"({"insert": "c", "documents": [{"_id": 1}], "$db": "app"})");
  EXPECT_EQ(reply["n"].as_int32(), 1);
  EXPECT_EQ(reply.find_path("writeConcernError.code").as_int32(), 91);
  EXPECT_EQ(reply.find_path("errorLabels.0").as_string(), "RetryableWriteError");
}

// facts §7.2: the cursor is not looked up, so there is no label, and it lives on.
TEST_F(FailPoint, FailCommandOnGetMoreLeavesTheCursorAndGivesNoLabel) {
  const std::int64_t cursor = opened_stream();
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": {"failCommands": ["getMore"], "errorCode": 10107},
          "$db": "admin"})");
  const wire::Document reply = get_more(cursor);
  EXPECT_EQ(reply["code"].as_int32(), 10107);
  EXPECT_FALSE(reply.has("errorLabels"));
  EXPECT_EQ(get_more(cursor)["ok"].as_double(), 1.0);
}

TEST_F(FailPoint, FailGetMoreAfterCursorCheckoutLabelsAndFreesTheCursor) {
  const std::int64_t cursor = opened_stream();
  ask(R"({"configureFailPoint": "failGetMoreAfterCursorCheckout", "mode": {"times": 1}, "data": {"errorCode": 10107}, "$db": "admin"})");
  const wire::Document reply = get_more(cursor);
  EXPECT_EQ(reply["code"].as_int32(), 10107);
  EXPECT_EQ(reply.find_path("errorLabels.0").as_string(), "ResumableChangeStreamError");
  EXPECT_EQ(get_more(cursor)["code"].as_int32(), 43);
}

TEST_F(FailPoint, MistakesAnswerAsMongod) {
  EXPECT_EQ(code(R"({"configureFailPoint": "nonesuch", "mode": "off", "$db": "admin"})"), 266);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "$db": "admin"})"), 20);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": "on", "$db": "admin"})"), 2);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": 5, "$db": "admin"})"), 14);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": "off", "data": 3, "$db": "admin"})"), 14);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": "off", "$db": "app"})"), 13);
  EXPECT_EQ(code(R"({"configureFailPoint": "waitInHello", "mode": "off", "$db": "admin"})"), 0);
  EXPECT_EQ(code(R"({"configureFailPoint": "waitInHello", "mode": "alwaysOn", "$db": "admin"})"), 238);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": {"times": 1.5}, "$db": "admin"})"), 2);
  EXPECT_EQ(
      code(
          R"({"configureFailPoint": "failCommand", "mode": {"times": {"$numberLong": "2147483648"}}, "$db": "admin"})"),
      2);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": {"skip": "x"}, "$db": "admin"})"), 14);
  EXPECT_EQ(code(R"({"configureFailPoint": "failCommand", "mode": {"activationProbability": 1.5}, "$db": "admin"})"),
            2);
}

// failCommands is required: without it nothing is failed.
TEST_F(FailPoint, WithoutFailCommandsNoCommandIsMeant) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"errorCode": 2}, "$db": "admin"})");
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
}

TEST_F(FailPoint, ProbabilityZeroNeverFiresAndOneAlways) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"activationProbability": 0}, "data": {"failCommands": ["ping"], "errorCode": 2},
          "$db": "admin"})");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 0);
  ask(R"({"configureFailPoint": "failCommand", "mode": {"activationProbability": 1}, "data": {"failCommands": ["ping"], "errorCode": 2},
          "$db": "admin"})");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 2);
}

TEST_F(FailPoint, OnlyOneNamespaceAndOneThreadAreMeant) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["find"], "errorCode": 2, "namespace": "app.c"},
          "$db": "admin"})");
  EXPECT_EQ(code(R"({"find": "c", "$db": "app"})"), 2);
  EXPECT_EQ(code(R"({"find": "d", "$db": "app"})"), 0);
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["find"], "errorCode": 2, "threadName": "conn1"},
          "$db": "admin"})");
  EXPECT_EQ(code(R"({"find": "d", "$db": "app"})"), 2);
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["find"], "errorCode": 2, "threadName": "conn9"},
          "$db": "admin"})");
  EXPECT_EQ(code(R"({"find": "d", "$db": "app"})"), 0);
}

TEST_F(FailPoint, ClientsFromOutsideAreMeantWhateverIsSaidOfOthers) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["ping"], "errorCode": 2,
          "failInternalCommands": true, "failLocalClients": true}, "$db": "admin"})");
  EXPECT_EQ(code(R"({"ping": 1, "$db": "admin"})"), 2);
}

TEST_F(FailPoint, ACodeThatCarriesMoreNeedsIt) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["ping"], "errorCode": 13388}, "$db": "admin"})");
  const wire::Document missing = ask(R"({"ping": 1, "$db": "admin"})");
  EXPECT_EQ(missing["code"].as_int32(), 40671);
  EXPECT_EQ(missing["errmsg"].as_string(), "Missing required extra info for error code StaleConfig");
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["ping"], "errorCode": 11000,
          "errorExtraInfo": {"keyPattern": {"a": 1}, "keyValue": {"a": 5}}}, "$db": "admin"})");
  const wire::Document given = ask(R"({"ping": 1, "$db": "admin"})");
  EXPECT_EQ(given["code"].as_int32(), 11000);
  EXPECT_EQ(given.find_path("keyValue.a").as_int32(), 5);
}

TEST_F(FailPoint, LabelsInsideAWriteConcernErrorStayInside) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1}, "data": {"failCommands": ["insert"],
          "writeConcernError": {"code": 64, "errmsg": "later", "errorLabels": ["X"]}}, "$db": "admin"})");
  const wire::Document reply = ask(R"({"insert": "c", "documents": [{"_id": 1}], "$db": "app"})");
  EXPECT_EQ(reply.find_path("writeConcernError.errorLabels.0").as_string(), "X");
  EXPECT_FALSE(reply.has("errorLabels"));
}

TEST_F(FailPoint, WaitForFailPointWaitsUntilItWasEnteredSoOften) {
  ask(R"({"configureFailPoint": "failCommand", "mode": "alwaysOn", "data": {"failCommands": ["ping"], "errorCode": 2}, "$db": "admin"})");
  world_.open(2);
  world_.send(2, json(R"({"waitForFailPoint": "failCommand", "timesEntered": 2, "maxTimeMS": 1000, "$db": "admin"})"));
  ask(R"({"ping": 1, "$db": "admin"})");
  EXPECT_FALSE(world_.has_reply(2));
  ask(R"({"ping": 1, "$db": "admin"})");
  ASSERT_TRUE(world_.has_reply(2));
  EXPECT_EQ((*world_.take_reply(2))["ok"].as_double(), 1.0);
  world_.send(2, json(R"({"waitForFailPoint": "failCommand", "timesEntered": 9, "maxTimeMS": 1000, "$db": "admin"})"));
  world_.tick(999ms);
  EXPECT_FALSE(world_.has_reply(2));
  world_.tick(1ms);
  EXPECT_EQ((*world_.take_reply(2))["code"].as_int32(), 50);
  EXPECT_EQ(code(R"({"waitForFailPoint": "nonesuch", "timesEntered": 1, "maxTimeMS": 1, "$db": "admin"})"), 266);
  EXPECT_EQ(code(R"({"waitForFailPoint": "failCommand", "timesEntered": 1, "$db": "admin"})"), 40414);
}

constexpr std::string_view retryable_update =
    R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"a": 1}}}], "$db": "app",
        "lsid": {"id": {"$binary": {"base64": "AAAAAAAAAAAAAAAAAAAAAA==", "subType": "04"}}}, "txnNumber": {"$numberLong": "1"}})";

TEST_F(FailPoint, ATransactionalWriteThatFailsIsNotDoneAndItsRetryIs) {
  ask(R"({"insert": "c", "documents": [{"_id": 1, "a": 1}], "$db": "app"})");
  ask(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": {"times": 1},
          "data": {"closeConnection": false, "failBeforeCommitExceptionCode": 91}, "$db": "admin"})");
  const wire::Document failed = ask(retryable_update);
  EXPECT_EQ(failed.find_path("writeErrors.0.code").as_int32(), 91);
  EXPECT_EQ(ask(retryable_update)["nModified"].as_int32(), 1);
  EXPECT_EQ(ask(R"({"find": "c", "$db": "app"})").find_path("cursor.firstBatch.0.a").as_int32(), 2);
}

TEST_F(FailPoint, ATransactionalWriteWhoseConnectionClosesIsDone) {
  ask(R"({"insert": "c", "documents": [{"_id": 1, "a": 1}], "$db": "app"})");
  ask(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": {"times": 1}, "data": {}, "$db": "admin"})");
  world_.send(1, json(retryable_update));
  EXPECT_FALSE(world_.has_reply(1));
  EXPECT_TRUE(world_.ending(1));
  world_.open(2);
  world_.send(2, json(retryable_update));
  const auto again = world_.take_reply(2);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->find_path("retriedStmtIds.0").as_int32(), 0);
}

TEST_F(FailPoint, InsertsOfOneGroupAreOneTransactionalWriteAndTheirRetryIsNone) {
  ask(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": "alwaysOn", "data": {}, "$db": "admin"})");
  const std::string insert =
      R"({"insert": "c", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}], "$db": "app", "txnNumber": {"$numberLong": "1"},
          "lsid": {"id": {"$binary": {"base64": "AAAAAAAAAAAAAAAAAAAAAA==", "subType": "04"}}}})";
  world_.send(1, json(insert));
  EXPECT_TRUE(world_.ending(1));
  world_.open(2);
  world_.send(2, json(insert));
  const auto again = world_.take_reply(2);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)["n"].as_int32(), 3);
  world_.send(2, json(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": "off", "$db": "admin"})"));
  EXPECT_EQ((*world_.take_reply(2))["count"].as_int32(), 1);
}

TEST_F(FailPoint, OtherWritesDoNotEnterTheTransactionalOne) {
  ask(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": {"times": 1}, "data": {}, "$db": "admin"})");
  EXPECT_EQ(ask(R"({"insert": "c", "documents": [{"_id": 1, "a": 1}], "$db": "app"})")["n"].as_int32(), 1);
  EXPECT_EQ(ask(R"({"configureFailPoint": "onPrimaryTransactionalWrite", "mode": "off", "$db": "admin"})")["count"]
                .as_int32(),
            0);
}

TEST_F(FailPoint, UpdatesOfOneCollectionFail) {
  ask(R"({"insert": "c", "documents": [{"_id": 1, "a": 1}], "$db": "app"})");
  ask(R"({"configureFailPoint": "failCollectionUpdates", "mode": "alwaysOn", "data": {"collectionNS": "app.c"}, "$db": "admin"})");
  const wire::Document reply =
      ask(R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 5}}}], "$db": "app"})");
  EXPECT_EQ(reply.find_path("writeErrors.0.code").as_int32(), 40654);
  EXPECT_EQ(
      reply.find_path("writeErrors.0.errmsg").as_string(),
      "failCollectionUpdates failpoint enabled, namespace: app.c, update: { $v: 2, diff: { u: { a: 5 } } } on document "
      "with { _id: 1 }");
}

TEST_F(FailPoint, EveryTimeLimitIsOver) {
  ask(R"({"configureFailPoint": "maxTimeAlwaysTimeOut", "mode": "alwaysOn", "$db": "admin"})");
  EXPECT_EQ(code(R"({"find": "c", "maxTimeMS": 10000, "$db": "app"})"), 50);
  EXPECT_EQ(code(R"({"find": "c", "maxTimeMS": 0, "$db": "app"})"), 0);
  EXPECT_EQ(code(R"({"find": "c", "$db": "app"})"), 0);
}

}  // namespace
}  // namespace oplogue_test
