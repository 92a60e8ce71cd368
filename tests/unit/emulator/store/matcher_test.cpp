#include "emulator/store/matcher.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

Matcher matcher(std::string_view filter, MatchPlace place = MatchPlace::Find) {
  return Matcher::parse(wire::document_from_json(filter), {place, {}});
}

std::string equalities(std::string_view filter) {
  const Matcher parsed = matcher(filter);
  std::string out;
  for (const auto& [path, value] : parsed.equality_fields())
    out += std::string(path) + "=" + wire::to_json(value, wire::JsonForm::Relaxed) + ";";
  return out;
}

int refusal(std::string_view filter, MatchPlace place) {
  try {
    matcher(filter, place);
  } catch (const CommandError& error) {
    return error.code;
  }
  return 0;
}

TEST(Matcher, RefusesAPathDeeperThanAnyDocument) {
  const auto filter_of = [](int steps) {
    std::string path = "a";
    for (int i = 1; i < steps; ++i) path += ".a";
    return R"({")" + path + R"(": 1})";
  };
  EXPECT_EQ(refusal(filter_of(181), MatchPlace::Find), 5729100);
  EXPECT_EQ(refusal(filter_of(100'000), MatchPlace::Update), 5729100);
  EXPECT_EQ(refusal(filter_of(180), MatchPlace::Find), 0);
}

TEST(Matcher, OfNothingMatchesEverything) {
  EXPECT_TRUE(Matcher().matches(wire::document_from_json("{}")));
  EXPECT_TRUE(matcher("{}").matches(wire::document_from_json(R"({"a": 1})")));
}

TEST(Matcher, KnowsTheEqualitiesThatAnUpsertStartsFrom) {
  EXPECT_EQ(equalities(R"({"a": 5})"), "a=5;");
  EXPECT_EQ(equalities(R"({"a": {"$eq": 5, "$gt": 1}})"), "a=5;");
  EXPECT_EQ(equalities(R"({"$and": [{"a": 5}, {"b.c": 6}]})"), "a=5;b.c=6;");
  EXPECT_EQ(equalities(R"({"$or": [{"a": 5}]})"), "a=5;");
  EXPECT_EQ(equalities(R"({"$or": [{"a": 5}, {"a": 6}]})"), "");
  EXPECT_EQ(equalities(R"({"a": {"$in": [5, 5]}})"), "a=5;");
  EXPECT_EQ(equalities(R"({"a": {"$in": [5, 6]}})"), "");
  EXPECT_EQ(equalities(R"({"a": {"$all": [5, 6]}})"), "a=5;a=6;");
  EXPECT_EQ(equalities(R"({"a": {"$not": {"$ne": 5}}, "b": {"$elemMatch": {"c": 1}}})"), "");
  EXPECT_EQ(equalities(R"({"a": {"$regularExpression": {"pattern": "x", "options": ""}}})"), "");
}

TEST(Matcher, KnowsTheIdItAsksFor) {
  EXPECT_EQ(matcher(R"({"_id": 7})").id_equality()->as_int32(), 7);
  EXPECT_TRUE(matcher(R"({"_id": 7})").is_id_only());
  EXPECT_EQ(matcher(R"({"a": 1, "_id": 7})").id_equality()->as_int32(), 7);
  EXPECT_FALSE(matcher(R"({"a": 1, "_id": 7})").is_id_only());
  EXPECT_FALSE(matcher(R"({"_id": {"$eq": 7}})").is_id_only());
  EXPECT_FALSE(matcher(R"({"_id": {"$gt": 7}})").id_equality().has_value());
}

TEST(Matcher, TellsWhichElementThePositionalOperatorMeans) {
  const auto position = [](std::string_view filter, std::string_view document) {
    return matcher(filter).matched_position(wire::document_from_json(document));
  };
  EXPECT_EQ(position(R"({"a": {"$gt": 2}})", R"({"a": [1, 2, 3]})"), 2U);
  EXPECT_EQ(position(R"({"a.x": 2})", R"({"a": [{"x": 1}, {"x": 2}]})"), 1U);
  EXPECT_EQ(position(R"({"a": {"$elemMatch": {"x": 2}}})", R"({"a": [{"x": 1}, {"x": 2}]})"), 1U);
  EXPECT_EQ(position(R"({"a": {"$size": 2}})", R"({"a": [1, 2]})"), std::nullopt);
  EXPECT_EQ(position(R"({"b": 1})", R"({"a": [1], "b": 1})"), std::nullopt);
}

TEST(Matcher, TestsSingleValues) {
  const Matcher tests = Matcher::parse_value_tests(wire::document_from_json(R"({"$gte": 2, "$lt": 5})"));
  EXPECT_TRUE(tests.matches_value(wire::Value::int32(2)));
  EXPECT_FALSE(tests.matches_value(wire::Value::int32(5)));
  EXPECT_FALSE(tests.matches_value(wire::Value::string("3")));
}

TEST(Matcher, RefusesInAChangeStreamWhatMongodRefusesThere) {
  EXPECT_EQ(refusal(R"({"$where": "1"})", MatchPlace::ChangeStream), 2);
  EXPECT_EQ(refusal(R"({"$text": {"$search": "a"}})", MatchPlace::ChangeStream), 17313);
  EXPECT_EQ(refusal(R"({"a": {"$near": [0, 0]}})", MatchPlace::ChangeStream), 5626500);
}

TEST(Matcher, NamesWhatIsNotBuilt) {
  EXPECT_EQ(refusal(R"({"$where": "1"})", MatchPlace::Find), 238);
  EXPECT_EQ(refusal(R"({"a": {"$geoIntersects": {}}})", MatchPlace::Find), 238);
}

TEST(Matcher, StopsARegularExpressionThatBacktracksWithoutEnd) {
  const Matcher runaway = matcher(R"({"a": {"$regex": "^(a+)+$"}})");
  wire::DocumentBuilder document;
  document.append_string("a", std::string(200, 'a') + "b");
  EXPECT_FALSE(runaway.matches(document.view()));
}

}  // namespace
}  // namespace emulator
