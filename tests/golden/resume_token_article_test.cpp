// What an article measured on mongod 9.0.2 about resume tokens and the oplog, statement by statement, under profile mongodb-9.0.
#include <gtest/gtest.h>

#include <set>
#include <span>

#include "emulator/engine.h"
#include "wire/message.h"
#include "wire/resume_token.h"

namespace {

using emulator::ConnectionId;
using emulator::MemberId;
using wire::Document;
using wire::DocumentBuilder;
using wire::DocumentView;

constexpr emulator::Now start{std::chrono::seconds(1), emulator::SystemTime(std::chrono::seconds(1791775093))};

class ResumeTokenArticle : public testing::Test {
 protected:
  ResumeTokenArticle() : engine_(spec(), start, nullptr) {
    for (std::uint16_t member = 0; member < 2; ++member) {
      step(emulator::Listening{MemberId{member}, "127.0.0.1", static_cast<std::uint16_t>(9900 + member)});
      step(emulator::Opened{ConnectionId{member + 1U}, MemberId{member}, "127.0.0.1:5000", "127.0.0.1:9900"});
    }
  }

  static emulator::DeploymentSpec spec() {
    emulator::DeploymentSpec spec;
    spec.profile = "mongodb-9.0";
    spec.members = {"primary", "new"};
    return spec;
  }

  void step(const emulator::Input& input) {
    effects_.clear();
    engine_.step(input, now_, effects_);
  }

  // Sends a command to a member and takes the reply, which must be there at once.
  Document ask(MemberId member, std::string_view db, DocumentBuilder& command) {
    command.append_string("$db", db);
    const std::string bytes = wire::encode_op_msg(1, 0, 0, wire::Payload(command.finish())).flatten();
    step(emulator::Received{ConnectionId{static_cast<std::uint64_t>(member) + 1U}, std::as_bytes(std::span(bytes))});
    for (const emulator::Effect& effect : effects_)
      if (const auto* send = std::get_if<emulator::Send>(&effect)) {
        reply_ = send->payload.flatten();
        return Document(wire::decode_message(std::as_bytes(std::span(reply_))).op_msg()->body);
      }
    ADD_FAILURE() << "no reply";
    return {};
  }
  Document ask(DocumentBuilder& command) { return ask(MemberId{0}, "test", command); }

  void insert(std::string_view collection, std::int32_t first, std::int32_t count) {
    DocumentBuilder command;
    command.append_string("insert", collection).begin_array("documents");
    for (std::int32_t id = first; id < first + count; ++id)
      command.begin_document(command.item_name()).append_int32("_id", id).end();
    command.end();
    last_operation_time_ = ask(command)["operationTime"].as_timestamp();
  }

  void update(std::int32_t id) {
    DocumentBuilder command;
    command.append_string("update", "t").begin_array("updates").begin_document("0");
    command.begin_document("q").append_int32("_id", id).end();
    command.begin_document("u").begin_document("$set").append_int32("v", 1).end().end().end().end();
    ask(command);
  }

  Document watch(MemberId member, std::string_view option, wire::ValueView value) {
    DocumentBuilder command;
    command.append_string("aggregate", "t").begin_array("pipeline").begin_document("0").begin_document("$changeStream");
    if (!option.empty()) command.append(option, value);
    command.end().end().end().begin_document("cursor").end();
    return ask(member, "test", command);
  }
  Document watch(std::string_view option = {}, wire::ValueView value = {}) { return watch(MemberId{0}, option, value); }

  Document get_more(const Document& opened) {
    DocumentBuilder command;
    command.append("getMore", opened.find_path("cursor.id"))
        .append_string("collection", "t")
        .append_int32("maxTimeMS", 0);
    return ask(command);
  }

  static std::vector<Document> batch(const Document& reply, std::string_view field) {
    std::vector<Document> out;
    const Document cursor(reply["cursor"].as_document());
    for (const wire::Element& event : cursor[field].as_document()) out.emplace_back(event.value.as_document());
    return out;
  }
  static std::string token(DocumentView event) { return std::string(event.find_path("_id._data").as_string()); }

  // Two inserts in one batch, then an update: the article's three events.
  std::vector<Document> three_events() {
    const Document opened = watch();
    insert("t", 1, 2);
    update(1);
    return batch(get_more(opened), "nextBatch");
  }

  emulator::Now now_ = start;
  emulator::Engine engine_;
  std::vector<emulator::Effect> effects_;
  std::string reply_;
  wire::Timestamp last_operation_time_;
};

TEST_F(ResumeTokenArticle, OneBatchHasOneClusterTimeAndTwoTokens) {
  const std::vector<Document> events = three_events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0]["clusterTime"].as_timestamp(), events[1]["clusterTime"].as_timestamp());
  EXPECT_NE(token(events[0]), token(events[1]));
  EXPECT_GT(events[2]["clusterTime"].as_timestamp(), events[1]["clusterTime"].as_timestamp());
  EXPECT_EQ(token(events[0]).substr(18, 20), "2B042C0100296E5A1004");
  EXPECT_EQ(token(events[1]).substr(18, 22), "2B042C01002B026E5A1004");
  EXPECT_EQ(token(events[2]).substr(18, 20), "2B042C0100296E5A1004");
}

TEST_F(ResumeTokenArticle, AnInsertHasTheseKeysAndNoSession) {
  const std::vector<Document> events = three_events();
  std::set<std::string> keys;
  for (const wire::Element& element : events.at(0)) keys.emplace(element.name);
  EXPECT_EQ(keys, (std::set<std::string>{"_id", "clusterTime", "documentKey", "fullDocument", "ns", "operationType",
                                         "wallTime"}));
}

TEST_F(ResumeTokenArticle, ATokenBeginsWith82AndTheEventsClusterTime) {
  for (const Document& event : three_events()) {
    const wire::Timestamp time = event["clusterTime"].as_timestamp();
    char text[19];
    std::snprintf(text, sizeof text, "82%08X%08X", time.seconds, time.increment);
    EXPECT_EQ(token(event).substr(0, 18), text);
  }
}

TEST_F(ResumeTokenArticle, ATokenOfAnInsertIs83BytesLong) { EXPECT_EQ(token(three_events().at(0)).size(), 2 * 83U); }

TEST_F(ResumeTokenArticle, TheSecondEventsTokenGivesTheThirdAndWhatIsWrittenLater) {
  const std::vector<Document> events = three_events();
  const Document resumed = watch("resumeAfter", events.at(1)["_id"]);
  const std::vector<Document> first = batch(resumed, "firstBatch");
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0]["operationType"].as_string(), "update");
  EXPECT_EQ(first[0].find_path("documentKey._id").as_int32(), 1);
  insert("t", 3, 1);
  const std::vector<Document> later = batch(get_more(resumed), "nextBatch");
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].find_path("documentKey._id").as_int32(), 3);
}

TEST_F(ResumeTokenArticle, StartingAtAnOperationTimeIncludesThatWrite) {
  insert("t", 3, 1);
  const wire::Value time = wire::Value::timestamp(last_operation_time_);
  insert("t", 100, 2);
  std::vector<std::int32_t> ids;
  for (const Document& event : batch(watch("startAtOperationTime", time), "firstBatch"))
    ids.push_back(event.find_path("documentKey._id").as_int32());
  EXPECT_EQ(ids, (std::vector<std::int32_t>{3, 100, 101}));
}

TEST_F(ResumeTokenArticle, TheTokenOfAnIdleStreamMovesOnByTheTwoEntriesOfAThousandInserts) {
  insert("t", 1, 1);
  const Document opened = watch();
  get_more(opened);
  insert("other", 0, 1);
  const Document before = get_more(opened);
  insert("other", 1, 1000);
  const Document after = get_more(opened);
  const auto time_of = [](const Document& reply) {
    return wire::decode_resume_token(reply.find_path("cursor.postBatchResumeToken").as_document()).cluster_time;
  };
  EXPECT_TRUE(batch(after, "nextBatch").empty());
  EXPECT_EQ(time_of(after).increment, time_of(before).increment + 2);
  const std::string data(after.find_path("cursor.postBatchResumeToken._data").as_string());
  EXPECT_EQ(data.substr(18), "2B0429296E1404");
}

TEST_F(ResumeTokenArticle, ANewMemberWhoseOplogStartsLaterAnswers286AndThePrimaryAcceptsTheSameToken) {
  const std::vector<Document> events = three_events();
  emulator::Member& member = engine_.deployment().member(MemberId{1});
  member.first = engine_.deployment().oplog.end();
  insert("t", 50, 1);
  const Document refused = watch(MemberId{1}, "resumeAfter", events.at(0)["_id"]);
  EXPECT_EQ(refused["code"].as_int32(), 286);
  EXPECT_EQ(refused["codeName"].as_string(), "ChangeStreamHistoryLost");
  EXPECT_TRUE(
      refused["errmsg"].as_string().starts_with("Executor error during aggregate command on namespace: test.t :: "
                                                "caused by :: Resume of change stream was not possible, as "
                                                "the resume point may no long"));
  const std::vector<Document> accepted = batch(watch("resumeAfter", events.at(0)["_id"]), "firstBatch");
  ASSERT_FALSE(accepted.empty());
  EXPECT_EQ(accepted[0].find_path("documentKey._id").as_int32(), 2);
}

}  // namespace
