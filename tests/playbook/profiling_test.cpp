// What the profiler makes of commands that went wrong: mongod 6.0.5 writes an entry for each statement of an update or delete that
// it came to, and none for a command that failed before.
#include <gtest/gtest.h>

#include "emulator/faults/table.h"
#include "tests/support/playbook.h"
#include "wire/extended_json.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

class Profiling : public testing::Test {
 protected:
  void SetUp() override {
    world_.listen();
    world_.open(1);
    ask(R"({"create": "c", "$db": "app"})");
    ask(R"({"profile": 2, "$db": "app"})");
  }
  wire::Document ask(std::string_view command) { return world_.ask(1, command); }
  int code(std::string_view command) {
    const wire::Document reply = ask(command);
    return reply.has("code") ? reply["code"].as_int32() : 0;
  }
  // What stands in system.profile.
  std::vector<wire::Document> entries() {
    std::vector<wire::Document> out;
    const emulator::Collection* profile = engine_->deployment().store.find("app", "system.profile");
    profile->scan(0, {}, [&](emulator::RecordId, const wire::Document& entry) {
      out.push_back(entry);
      return true;
    });
    return out;
  }
  void inject(std::string_view fault, std::string_view argument, std::optional<emulator::Moment> at) {
    emulator::Injection injection;
    injection.faults.push_back(emulator::find_fault(fault)->make(wire::value_from_json(argument), at));
    engine_->deployment().faults.inject(std::move(injection), world_.now());
  }

  static constexpr std::string_view update_ =
      R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 1}}}], "$db": "app"})";

  std::unique_ptr<emulator::Engine> engine_ = fresh_engine("mongodb-6.0")();
  World world_{Machine::of(*engine_), {1s, {}}};
};

TEST_F(Profiling, AnUpdateThatIsNoneIsNotWritten) {
  EXPECT_EQ(code(R"({"update": "c", "updates": [{"q": {}, "u": {"$set": {"a": 1}}}], "bogus": 1, "$db": "app"})"),
            40415);
  EXPECT_EQ(code(R"({"update": "c", "$db": "app"})"), 40414);
  EXPECT_EQ(code(R"({"update": "c", "updates": [], "$db": "app"})"), 16);
  EXPECT_EQ(code(R"({"update": "c", "updates": 3, "$db": "app"})"), 14);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Profiling, ADeleteThatIsNoneIsNotWritten) {
  EXPECT_EQ(code(R"({"delete": "c", "deletes": [3], "$db": "app"})"), 14);
  EXPECT_EQ(code(R"({"delete": "c", "deletes": {"q": {}}, "$db": "app"})"), 14);
  EXPECT_EQ(code(R"({"delete": "c", "deletes": [{"q": {}}], "$db": "app"})"), 40414);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Profiling, WhatAFailPointRefusesIsNotWritten) {
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1},
          "data": {"failCommands": ["update"], "errorCode": 10107}, "$db": "admin"})");
  EXPECT_EQ(code(update_), 10107);
  ask(R"({"configureFailPoint": "failCommand", "mode": {"times": 1},
          "data": {"failCommands": ["update"], "closeConnection": true}, "$db": "admin"})");
  world_.send(1, json(update_));
  EXPECT_TRUE(world_.ending(1));
  EXPECT_TRUE(entries().empty());
}

TEST_F(Profiling, AnUpsertCountsAsUpsertedNotAsMatched) {
  ask(R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 1}}, "upsert": true}], "$db": "app"})");
  ask(R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 2}}}], "$db": "app"})");
  const std::vector<wire::Document> written = entries();
  ASSERT_EQ(written.size(), 2U);
  EXPECT_EQ(written[0]["nMatched"].as_int32(), 0);
  EXPECT_EQ(written[0]["nModified"].as_int32(), 0);
  EXPECT_EQ(written[0]["nUpserted"].as_int32(), 1);
  EXPECT_EQ(written[1]["nMatched"].as_int32(), 1);
  EXPECT_EQ(written[1]["nModified"].as_int32(), 1);
  EXPECT_EQ(written[1]["nUpserted"].as_int32(), 0);
}

TEST_F(Profiling, WhatAFaultMakesOfAReplyIsNotWritten) {
  inject("answer", R"({"ok": 1})", std::nullopt);
  ask(update_);
  EXPECT_TRUE(entries().empty());
  inject("answer", R"({"ok": 1})", emulator::Moment::Reply);
  EXPECT_FALSE(ask(update_).has("nModified"));
  const std::vector<wire::Document> written = entries();
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0]["nModified"].as_int32(), 0);
}

TEST_F(Profiling, AReadThatFailsIsWrittenWithItsError) {
  EXPECT_EQ(code(R"({"find": "c", "filter": {"$bad": 1}, "$db": "app"})"), 2);
  const std::vector<wire::Document> written = entries();
  ASSERT_EQ(written.size(), 1U);
  EXPECT_EQ(written[0]["ok"].as_double(), 0.0);
  EXPECT_EQ(written[0]["errName"].as_string(), "BadValue");
  EXPECT_EQ(written[0]["errCode"].as_int32(), 2);
}

}  // namespace
}  // namespace oplogue_test
