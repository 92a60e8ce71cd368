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
  wire::Document ask(std::string_view command) {
    world_.send(1, json(command));
    const auto reply = world_.take_reply(1);
    return reply ? *reply : wire::Document();
  }
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
  EXPECT_EQ(code(R"({"configureFailPoint": "waitInHello", "mode": "off", "$db": "admin"})"), 238);
}

}  // namespace
}  // namespace oplogue_test
