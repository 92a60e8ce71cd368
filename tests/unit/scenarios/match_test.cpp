#include "scenarios/match.h"

#include <gtest/gtest.h>

#include "scenarios/values.h"
#include "wire/extended_json.h"

namespace scenarios {
namespace {

class Match : public testing::Test {
 protected:
  // What differs, as "path: expected X, actual Y"; empty: it matches.
  std::string differs(std::string_view expected, std::string_view actual) {
    std::vector<Problem> problems;
    const Node node = read_yaml(expected, problems);
    EXPECT_TRUE(problems.empty());
    const auto found = mismatch(node, wire::Value::document(wire::document_from_json(actual)), names_);
    return found ? found->path + ": expected " + found->expected + ", actual " + found->actual : "";
  }
  bool matches(std::string_view expected, std::string_view actual) { return differs(expected, actual).empty(); }

  emulator::Deployment deployment_{emulator::DeploymentSpec{}, emulator::Now{}};
  emulator::Journal journal_;
  Names names_{deployment_, journal_};
};

TEST_F(Match, DocumentsByTheirNamedFieldsInAnyOrder) {
  EXPECT_TRUE(matches("{b: 2, a: 1}", R"({"a": 1, "b": 2, "c": 3})"));
  EXPECT_EQ(differs("{a: {b: 1}}", R"({"a": {"b": 2}})"), "a.b: expected 1, actual 2");
  EXPECT_EQ(differs("{a: 1}", "{}"), "a: expected 1, actual missing");
}

TEST_F(Match, ArraysElementByElement) {
  EXPECT_TRUE(matches("{a: [1, {b: 2}]}", R"({"a": [1, {"b": 2, "c": 3}]})"));
  EXPECT_FALSE(matches("{a: [1]}", R"({"a": [1, 2]})"));
}

TEST_F(Match, NumbersByValue) {
  EXPECT_TRUE(matches("{a: 1}", R"({"a": {"$numberLong": "1"}})"));
  EXPECT_TRUE(matches("{a: 1.0}", R"({"a": 1})"));
  EXPECT_TRUE(matches("{a: {$numberDecimal: \"1.00\"}}", R"({"a": 1})"));
}

TEST_F(Match, TokensByDataWhateverLetterCaseAndTypeBits) {
  EXPECT_TRUE(matches("{t: {_data: 826a}}",
                      R"({"t": {"_data": "826A", "_typeBits": {"$binary": {"base64": "QA==", "subType": "00"}}}})"));
  EXPECT_TRUE(matches("{t: {$$lt: {_data: 826B}}}", R"({"t": {"_data": "826a"}})"));
}

TEST_F(Match, ExistsAndUnsetOrMatches) {
  EXPECT_TRUE(matches("{a: {$$exists: false}}", "{}"));
  EXPECT_FALSE(matches("{a: {$$exists: true}}", "{}"));
  EXPECT_TRUE(matches("{a: {$$unsetOrMatches: 1}}", "{}"));
  EXPECT_FALSE(matches("{a: {$$unsetOrMatches: 1}}", R"({"a": 2})"));
}

TEST_F(Match, ComparisonsOfOneKindOfValue) {
  EXPECT_TRUE(matches("{a: {$$gte: 1, $$lt: 3}}", R"({"a": 2})"));
  EXPECT_FALSE(matches("{a: {$$gte: 1}}", R"({"a": "2"})"));
  EXPECT_TRUE(matches("{a: {$$gt: {$timestamp: {t: 1, i: 1}}}}", R"({"a": {"$timestamp": {"t": 1, "i": 2}}})"));
}

TEST_F(Match, TypesSetsNegationsAndPatterns) {
  EXPECT_TRUE(matches("{a: {$$type: [string, int]}}", R"({"a": 1})"));
  EXPECT_TRUE(matches("{a: {$$in: [1, 2]}}", R"({"a": 2})"));
  EXPECT_TRUE(matches("{a: {$$not: {$$in: [1, 2]}}}", R"({"a": 3})"));
  EXPECT_TRUE(matches("{a: {$$matches: \"^x+$\"}}", R"({"a": "xxx"})"));
  EXPECT_TRUE(matches("{a: {$$matchesHexBytes: 0aFF}}", R"({"a": {"$binary": {"base64": "Cv8=", "subType": "00"}}})"));
}

TEST_F(Match, ContainsTakesEachElementOnce) {
  EXPECT_TRUE(matches("{a: {$$contains: [2, 1]}}", R"({"a": [1, 5, 2]})"));
  EXPECT_FALSE(matches("{a: {$$contains: [1, 1]}}", R"({"a": [1, 2]})"));
}

TEST_F(Match, ExactlyAllowsNoFurtherField) {
  EXPECT_TRUE(matches("{a: {$$exactly: {b: 1}}}", R"({"a": {"b": 1}})"));
  EXPECT_EQ(differs("{a: {$$exactly: {b: 1}}}", R"({"a": {"b": 1, "c": 2}})"),
            "a.c: expected no such field ($$exactly), actual 2");
}

TEST_F(Match, ANameThatIsNotSetMatchesNothing) {
  EXPECT_FALSE(matches("{a: {$$token: never}}", R"({"a": {"_data": "82"}})"));
}

}  // namespace
}  // namespace scenarios
