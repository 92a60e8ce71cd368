// What a transaction does to those outside of it, in virtual time; the answers are those of mongod 6.0.5.
#include <gtest/gtest.h>

#include "tests/support/playbook.h"

namespace oplogue_test {
namespace {

using namespace std::chrono_literals;

class TransactionPlay : public testing::Test {
 protected:
  void SetUp() override {
    world_.listen();
    for (std::uint64_t connection = 1; connection <= 3; ++connection) world_.open(connection);
    ask(3, R"({"insert": "c", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}], "$db": "app"})");
  }
  void send(std::uint64_t connection, std::string_view command) { world_.send(connection, json(command)); }
  wire::Document answer(std::uint64_t connection) { return world_.take_reply(connection).value_or(wire::Document()); }
  wire::Document ask(std::uint64_t connection, std::string_view command) { return world_.ask(connection, command); }
  // The command, as a statement of transaction `number` of a session named by one letter.
  static std::string within(std::string_view command, char session, int number, std::string_view more = "") {
    return std::string(command.substr(0, command.size() - 1)) + R"(, "lsid": {"id": {"$binary": {"base64": ")" +
           std::string(21, session) + R"(A==", "subType": "04"}}}, "txnNumber": {"$numberLong": ")" +
           std::to_string(number) + R"("}, "autocommit": false)" + std::string(more) + "}";
  }
  static std::string first(std::string_view command, char session, int number = 1) {
    return within(command, session, number, R"(, "startTransaction": true)");
  }
  static std::string commit(char session, int number = 1) {
    return within(R"({"commitTransaction": 1, "$db": "admin"})", session, number);
  }
  static std::string abort(char session, int number = 1) {
    return within(R"({"abortTransaction": 1, "$db": "admin"})", session, number);
  }
  std::int32_t value(int id) {
    const wire::Document reply =
        ask(3, R"({"find": "c", "filter": {"_id": )" + std::to_string(id) + R"(}, "$db": "app"})");
    const wire::ValueView found = reply.find_path("cursor.firstBatch.0.a");
    return found.missing() ? -1 : found.as_int32();
  }
  void advance(std::chrono::milliseconds by) {
    engine_->deployment().clock.advance(by);
    world_.input(emulator::Woken{});  // a held clock moves inside a step
  }

  static constexpr std::string_view increment =
      R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"a": 1}}}], "$db": "app"})";
  static constexpr std::string_view add_ten =
      R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"a": 10}}}], "$db": "app"})";

  std::unique_ptr<emulator::Engine> engine_ = fresh_engine("mongodb-6.0")();
  World world_{Machine::of(*engine_), {1s, {}}};
};

TEST_F(TransactionPlay, APlainWriteWaitsForTheTransactionAndGoesOnFromItsResult) {
  ask(1, first(increment, 'A'));
  send(2, add_ten);
  EXPECT_FALSE(world_.has_reply(2));
  world_.tick(1h);
  EXPECT_FALSE(world_.has_reply(2));
  EXPECT_EQ(value(1), 1);
  ask(1, commit('A'));
  EXPECT_EQ(answer(2)["nModified"].as_int32(), 1);
  EXPECT_EQ(value(1), 12);
}

TEST_F(TransactionPlay, AnAbortLetsThePlainWriteGoOnFromWhatWas) {
  ask(1, first(increment, 'A'));
  send(2, add_ten);
  ask(1, abort('A'));
  EXPECT_EQ(answer(2)["nModified"].as_int32(), 1);
  EXPECT_EQ(value(1), 11);
}

TEST_F(TransactionPlay, WhatAManyUpdateHasDoneBeforeItWaitsIsThereAndIsNotDoneAgain) {
  ask(1, first(R"({"update": "c", "updates": [{"q": {"_id": 2}, "u": {"$inc": {"a": 1}}}], "$db": "app"})", 'A'));
  send(2, R"({"update": "c", "updates": [{"q": {}, "u": {"$inc": {"a": 10}}, "multi": true}], "$db": "app"})");
  EXPECT_FALSE(world_.has_reply(2));
  EXPECT_EQ(value(1), 11);
  ask(1, commit('A'));
  EXPECT_EQ(answer(2)["nModified"].as_int32(), 2);
  EXPECT_EQ(value(1), 11);
  EXPECT_EQ(value(2), 12);
}

TEST_F(TransactionPlay, AnInsertOfTheSameIdWaitsAndIsADuplicateAfterTheCommit) {
  ask(1, first(R"({"insert": "c", "documents": [{"_id": 9}], "$db": "app"})", 'A'));
  send(2, R"({"insert": "c", "documents": [{"_id": 8}, {"_id": 9}, {"_id": 10}], "ordered": false, "$db": "app"})");
  EXPECT_FALSE(world_.has_reply(2));
  ask(1, commit('A'));
  const wire::Document reply = answer(2);
  EXPECT_EQ(reply["n"].as_int32(), 2);
  EXPECT_EQ(reply.find_path("writeErrors.0.index").as_int32(), 1);
  EXPECT_EQ(reply.find_path("writeErrors.0.code").as_int32(), 11000);
}

TEST_F(TransactionPlay, MaxTimeMsEndsTheWait) {
  ask(1, first(increment, 'A'));
  send(2,
       R"({"update": "c", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"a": 10}}}], "maxTimeMS": 50, "$db": "app"})");
  world_.tick(49ms);
  EXPECT_FALSE(world_.has_reply(2));
  world_.tick(1ms);
  const wire::Document reply = answer(2);
  EXPECT_EQ(reply["code"].as_int32(), 50);
  EXPECT_EQ(reply.view().first().name, "writeConcernError");
  ask(1, commit('A'));
  EXPECT_EQ(value(1), 2);
}

TEST_F(TransactionPlay, SeveralWaitersGoInTheOrderTheyCame) {
  ask(1, first(increment, 'A'));
  send(2, add_ten);
  send(3, R"({"delete": "c", "deletes": [{"q": {"_id": 1}, "limit": 1}], "$db": "app"})");
  ask(1, commit('A'));
  EXPECT_EQ(answer(2)["n"].as_int32(), 1);
  EXPECT_EQ(answer(3)["n"].as_int32(), 1);
  EXPECT_EQ(value(1), -1);
}

TEST_F(TransactionPlay, ADropWaitsForWhoeverReadTheCollection) {
  ask(1, first(R"({"find": "c", "$db": "app"})", 'A'));
  send(2, R"({"drop": "c", "$db": "app"})");
  EXPECT_FALSE(world_.has_reply(2));
  ask(1, commit('A'));
  EXPECT_EQ(answer(2)["ns"].as_string(), "app.c");
}

TEST_F(TransactionPlay, TwoTransactionsConflictAtOnce) {
  ask(1, first(increment, 'A'));
  const wire::Document reply = ask(2, first(add_ten, 'B'));
  EXPECT_EQ(reply["code"].as_int32(), 112);
  EXPECT_EQ(reply.find_path("errorLabels.0").as_string(), "TransientTransactionError");
  EXPECT_EQ(ask(2, commit('B'))["code"].as_int32(), 251);
  EXPECT_EQ(ask(1, commit('A'))["ok"].as_double(), 1.0);
}

TEST_F(TransactionPlay, ACollectionThatBothMadeFailsTheCommit) {
  ask(1, first(R"({"insert": "d", "documents": [{"_id": 1}], "$db": "app"})", 'A'));
  EXPECT_EQ(ask(2, R"({"insert": "d", "documents": [{"_id": 2}], "$db": "app"})")["n"].as_int32(), 1);
  const wire::Document reply = ask(1, commit('A'));
  EXPECT_EQ(reply["code"].as_int32(), 112);
  EXPECT_EQ(reply.find_path("errorLabels.0").as_string(), "TransientTransactionError");
}

TEST_F(TransactionPlay, ACollectionYoungerThanTheSnapshotCannotBeRead) {
  ask(1, first(R"({"find": "c", "$db": "app"})", 'A'));
  ask(2, R"({"insert": "d", "documents": [{"_id": 2}], "$db": "app"})");
  const wire::Document reply = ask(1, within(R"({"find": "d", "$db": "app"})", 'A', 1));
  EXPECT_EQ(reply["code"].as_int32(), 246);
  EXPECT_EQ(reply.find_path("errorLabels.0").as_string(), "TransientTransactionError");
}

TEST_F(TransactionPlay, TheDeploymentsClockEndsATransactionThatIsTooOld) {
  ask(1, first(increment, 'A'));
  send(2, add_ten);
  advance(59s);
  EXPECT_FALSE(world_.has_reply(2));
  advance(1s);
  EXPECT_EQ(answer(2)["nModified"].as_int32(), 1);
  EXPECT_EQ(value(1), 11);
  const wire::Document reply = ask(1, commit('A'));
  EXPECT_EQ(reply["code"].as_int32(), 251);
  EXPECT_EQ(reply["errmsg"].as_string(), "Transaction with { txnNumber: 1 } has been aborted.");
}

TEST_F(TransactionPlay, ASessionThatNobodyUsesIsForgottenWithItsCursors) {
  const std::string session = R"("lsid": {"id": {"$binary": {"base64": "SSSSSSSSSSSSSSSSSSSSSA==", "subType": "04"}}})";
  const wire::Document opened = ask(1, R"({"find": "c", "batchSize": 1, )" + session + R"(, "$db": "app"})");
  EXPECT_EQ(engine_->deployment().sessions.size(), 1u);
  advance(29min);
  EXPECT_EQ(engine_->deployment().sessions.size(), 1u);
  advance(1min);
  EXPECT_EQ(engine_->deployment().sessions.size(), 0u);
  EXPECT_EQ(engine_->deployment().cursors.find(opened.find_path("cursor.id").as_int64()), nullptr);
}

TEST_F(TransactionPlay, KillingTheSessionOfAWaitingWriteInterruptsIt) {
  ask(1, first(increment, 'A'));
  const std::string session = R"("lsid": {"id": {"$binary": {"base64": "SSSSSSSSSSSSSSSSSSSSSA==", "subType": "04"}}})";
  send(2, R"({"delete": "c", "deletes": [{"q": {"_id": 1}, "limit": 1}], )" + session + R"(, "$db": "app"})");
  EXPECT_FALSE(world_.has_reply(2));
  ask(3,
      R"({"killSessions": [{"id": {"$binary": {"base64": "SSSSSSSSSSSSSSSSSSSSSA==", "subType": "04"}}}], "$db": "admin"})");
  EXPECT_EQ(answer(2)["code"].as_int32(), 11601);
  EXPECT_EQ(value(1), 1);
}

TEST_F(TransactionPlay, ATimeBeyondTheClusterTimeIsRefused) {
  const wire::Document reply = ask(
      1,
      R"({"find": "c", "readConcern": {"afterClusterTime": {"$timestamp": {"t": 4000000000, "i": 1}}}, "$db": "app"})");
  EXPECT_EQ(reply["code"].as_int32(), 72);
}

TEST_F(TransactionPlay, LargeTransactionsAreSeveralEntriesWhoseEventsCountOn) {
  const wire::Document opened = ask(
      3,
      R"({"aggregate": "c", "pipeline": [{"$changeStream": {}}, {"$project": {"fullDocument": 0}}], "cursor": {}, "$db": "app"})");
  const std::string filler(6'000'000, 'x');
  for (int i = 0; i < 4; ++i) {
    const std::string insert = R"({"insert": "c", "documents": [{"_id": )" + std::to_string(10 + i) + R"(, "f": ")" +
                               filler + R"("}], "$db": "app"})";
    EXPECT_EQ(ask(1, i == 0 ? first(insert, 'A') : within(insert, 'A', 1))["n"].as_int32(), 1);
  }
  ask(1, commit('A'));
  wire::DocumentBuilder more;
  more.append("getMore", opened.find_path("cursor.id")).append_string("collection", "c").append_string("$db", "app");
  world_.send(3, more.finish());
  const wire::Document batch = answer(3);
  const auto& oplog = engine_->deployment().oplog;
  EXPECT_EQ(oplog.at(oplog.end() - 1).o["count"].as_int64(), 4);
  EXPECT_TRUE(oplog.at(oplog.end() - 2).o["partialTxn"].as_bool());
  const wire::ValueView time = batch.find_path("cursor.nextBatch.0.clusterTime");
  std::int32_t events = 0;
  std::string before;
  for (const auto& [index, event] : batch.find_path("cursor.nextBatch").as_document()) {
    EXPECT_EQ(event.as_document()["clusterTime"].as_timestamp(), time.as_timestamp());
    const std::string token(event.as_document()["_id"].as_document()["_data"].as_string());
    EXPECT_LT(before, token);
    before = token;
    ++events;
  }
  EXPECT_EQ(events, 4);
}

}  // namespace
}  // namespace oplogue_test
