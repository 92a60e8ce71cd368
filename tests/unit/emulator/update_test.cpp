#include "emulator/update.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/diff.h"
#include "emulator/update_description.h"
#include "emulator/update_statement.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

using wire::Document;
using wire::DocumentView;
using wire::ValueView;

// One line of a file of tests/golden/updates, recorded from a mongod: {pre?, q?, u, arrayFilters?, upsert?} and what came of it:
// {error: {code, errmsg}}, {result: "noop"}, or {op, o, post?, updateDescription?}.
struct Recording {
  std::string_view profile;
  Document line;
};
class RecordedUpdate : public testing::TestWithParam<Recording> {};

std::vector<Recording> recorded_updates(const std::string& name, std::string_view profile) {
  std::ifstream file(OPLOGUE_SOURCE_DIR "/tests/golden/updates/" + name);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const wire::Value list = wire::value_from_json(text);
  std::vector<Recording> updates;
  for (const auto& element : list.view().as_document())
    updates.push_back({profile, Document(element.value.as_document())});
  return updates;
}

Matcher query_of(const Document& recorded, const UpdateContext& context) {
  ValueView q = recorded["q"];
  return q ? Matcher::parse(q.as_document(), {MatchPlace::Update, context.expressions}) : Matcher();
}

std::string text(DocumentView document) { return wire::to_json(document); }

void expect_description(const Document& recorded, const UpdateResult& result) {
  wire::DocumentBuilder out;
  if (const ValueView diff = result.oplog_o["diff"])
    append_update_description("d", diff.as_document(), DisambiguatedPaths::No, out);
  else
    append_update_description("d", result.oplog_o, out);
  EXPECT_EQ(text(out.view().find("d").as_document()), text(recorded["updateDescription"].as_document()));
}

void expect_outcome(const Document& recorded, const UpdateContext& context) {
  Update update = Update::parse(recorded["u"], recorded["arrayFilters"], context);
  Matcher query = query_of(recorded, context);
  if (recorded.has("upsert")) {
    Document inserted = update.insertion(query);
    ASSERT_FALSE(recorded.has("error")) << text(inserted);
    EXPECT_EQ(text(inserted), text(recorded["o"].as_document()));
    return;
  }
  Document pre(recorded["pre"].as_document());
  UpdateResult result = update.apply(pre, query.matched_position(pre));
  ASSERT_FALSE(recorded.has("error")) << text(result.post);
  if (recorded.has("result")) {
    EXPECT_EQ(result.kind, UpdateResult::Kind::NoOp) << text(result.oplog_o);
    return;
  }
  EXPECT_EQ(text(result.oplog_o), text(recorded["o"].as_document()));
  EXPECT_EQ(text(result.post), text(recorded["post"].as_document()));
  ASSERT_EQ(result.kind == UpdateResult::Kind::Diff, recorded["o"].as_document().has("$v"));
  if (recorded.has("updateDescription")) expect_description(recorded, result);
}

TEST_P(RecordedUpdate, ComesOutAsMongodDidIt) {
  const auto& [profile, recorded] = GetParam();
  SCOPED_TRACE(text(recorded));
  try {
    expect_outcome(recorded, update_context(*find_profile(profile)));
  } catch (const CommandError& error) {
    ASSERT_TRUE(recorded.has("error")) << error.message;
    EXPECT_EQ(error.code, recorded.find_path("error.code").as_int32());
    EXPECT_EQ(error.message, recorded.find_path("error.errmsg").as_string());
  }
}

TEST(UpdateDescription, RepeatsThePathsOfSetAndUnset) {
  wire::DocumentBuilder out;
  append_update_description(
      "d", wire::document_from_json(R"({"$v": 1, "$unset": {"b.c": true, "d": true}, "$set": {"a.0": 5}})"), out);
  EXPECT_EQ(text(out.view().find("d").as_document()),
            text(wire::document_from_json(R"({"updatedFields": {"a.0": 5}, "removedFields": ["b.c", "d"]})")));
}

// Small documents by their JSON; `time` is a second after the epoch.
UpdateResult updated(std::string_view pre, std::string_view u) {
  Update update = Update::parse(wire::value_from_json(u), {}, {.expressions = {}, .time = {1000, {7, 3}}});
  return update.apply(wire::document_from_json(pre));
}

TEST(Update, TakesDatesFromTheGivenTime) {
  UpdateResult result = updated(R"({"_id": 1})", R"({"$currentDate": {"d": true, "t": {"$type": "timestamp"}}})");
  EXPECT_EQ(result.post["d"].as_date_ms(), 1000);
  EXPECT_EQ(result.post["t"].as_timestamp(), (wire::Timestamp{7, 3}));
}

TEST(Update, GivesAReplacementsEmptyTimestampsAtTopLevelTheTime) {
  UpdateResult result = updated(
      R"({"_id": 1})", R"({"a": {"$timestamp": {"t": 0, "i": 0}}, "b": {"c": {"$timestamp": {"t": 0, "i": 0}}}})");
  EXPECT_EQ(result.post["a"].as_timestamp(), (wire::Timestamp{7, 3}));
  EXPECT_EQ(result.post.find_path("b.c").as_timestamp(), wire::Timestamp{});
}

TEST(Update, RefusesToGrowADocumentOverTheLimit) {
  const std::string half(9 * 1024 * 1024, 'x');
  try {
    updated(R"({"_id": 1, "a": ")" + half + R"("})", R"({"$set": {"b": ")" + half + R"("}})");
    FAIL() << "it grew";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 17419);
    EXPECT_EQ(error.message, "Resulting document after update is larger than 16777216");
  }
}

TEST(Update, RefusesAPathDeeperThanAnyDocument) {
  for (const int steps : {256, 100'000}) {
    std::string path = "a";
    for (int i = 1; i < steps; ++i) path += ".a";
    try {
      updated(R"({"_id": 1})", R"({"$set": {")" + path + R"(": 1}})");
      FAIL() << "a path of " << steps << " steps was set";
    } catch (const CommandError& error) {
      EXPECT_EQ(error.code, 56);
      EXPECT_EQ(error.message, "An empty update path is not valid.");
    }
  }
}

TEST(Update, StaysWholeWhenItIsMoved) {
  std::vector<Update> updates;
  for (int i = 0; i < 20; ++i) updates.push_back(Update::parse(wire::value_from_json(R"({"$set": {"a": 5}})"), {}, {}));
  EXPECT_EQ(text(updates.front().apply(wire::document_from_json(R"({"_id": 1})")).post),
            text(wire::document_from_json(R"({"_id": 1, "a": 5})")));
}

TEST(UpdateOperators, HaveNamesOfTheirOwnAndSayWhatTheyDo) {
  std::set<std::string_view> names;
  for (const UpdateOperatorSpec* spec : all_update_operators()) {
    EXPECT_TRUE(names.insert(spec->name).second) << spec->name;
    EXPECT_TRUE(spec->help.ends_with('.')) << spec->name;
    EXPECT_EQ(find_update_operator(spec->name), spec);
  }
  EXPECT_EQ(names.size(), 15U);
}

auto recorded_by(const std::string& file, std::string_view profile) {
  return testing::ValuesIn(recorded_updates(file, profile));
}
INSTANTIATE_TEST_SUITE_P(Mongod605, RecordedUpdate, recorded_by("updates.json", "mongodb-6.0"));
INSTANTIATE_TEST_SUITE_P(Mongod6027, RecordedUpdate, recorded_by("updates_6_0_27.json", "mongodb-6.0.27"));
INSTANTIATE_TEST_SUITE_P(Mongod504, RecordedUpdate, recorded_by("updates_5_0.json", "mongodb-5.0"));
INSTANTIATE_TEST_SUITE_P(Mongod442, RecordedUpdate, recorded_by("updates_4_4.json", "mongodb-4.4"));
INSTANTIATE_TEST_SUITE_P(Mongod426, RecordedUpdate, recorded_by("updates_4_2.json", "mongodb-4.2"));

}  // namespace
}  // namespace emulator
