#include "emulator/store/sort.h"

#include <gtest/gtest.h>

#include "emulator/command_error.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

SortPattern pattern(std::string_view spec) { return SortPattern::parse(wire::document_from_json(spec), Wording::V6_0); }

// The `_id`s in the order that the sort gives.
std::string sorted(std::string_view spec, std::initializer_list<std::string_view> texts) {
  std::vector<wire::Document> documents;
  for (const std::string_view text : texts) documents.push_back(wire::document_from_json(text));
  pattern(spec).sort(documents);
  std::string out;
  for (const wire::Document& document : documents) out += std::to_string(document["_id"].as_int32());
  return out;
}

std::string refusal(std::string_view spec) {
  try {
    pattern(spec);
  } catch (const CommandError& error) {
    return std::to_string(error.code) + " " + error.message;
  }
  return {};
}

TEST(Sort, TakesAnArraysSmallestOrLargestElement) {
  EXPECT_EQ(
      sorted(R"({"a": 1})", {R"({"_id": 1, "a": [5, 2]})", R"({"_id": 2, "a": 3})", R"({"_id": 3, "a": [1, 9]})"}),
      "312");
  EXPECT_EQ(
      sorted(R"({"a": -1})", {R"({"_id": 1, "a": [5, 2]})", R"({"_id": 2, "a": 3})", R"({"_id": 3, "a": [1, 9]})"}),
      "312");
}

TEST(Sort, PutsAnEmptyArrayBeforeWhatIsMissing) {
  EXPECT_EQ(sorted(R"({"a": 1})",
                   {R"({"_id": 1, "a": 0})", R"({"_id": 2})", R"({"_id": 3, "a": []})", R"({"_id": 4, "a": null})"}),
            "3241");
}

TEST(Sort, IsStable) {
  EXPECT_EQ(sorted(R"({"a": 1})", {R"({"_id": 3, "a": 1})", R"({"_id": 1, "a": 1.0})", R"({"_id": 2, "a": 0})"}),
            "231");
}

TEST(Sort, KnowsTheNaturalOrder) {
  EXPECT_EQ(pattern(R"({"$natural": 1})").natural(), NaturalOrder::Forward);
  EXPECT_EQ(sorted(R"({"$natural": -1})", {R"({"_id": 1})", R"({"_id": 2})"}), "21");
  EXPECT_EQ(refusal(R"({"$natural": 1, "a": 1})"),
            "2 Cannot include '$natural' in compound sort: { $natural: 1, a: 1 }");
}

TEST(Sort, RefusesWhatIsNoDirection) {
  EXPECT_EQ(refusal(R"({"a": 2})"), "15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)");
  EXPECT_EQ(refusal(R"({"a": "x"})"), R"(15974 Illegal key in $sort specification: a: "x")");
  EXPECT_EQ(refusal(R"({"a": true})"), "15974 Illegal key in $sort specification: a: true");
  EXPECT_EQ(refusal(R"({"a": {}})"), "17312 $meta is the only expression supported by $sort right now");
  EXPECT_EQ(refusal(R"({"a": 1.5})"), "");
}

TEST(Sort, RefusesAPathThatCouldMeanAnIndexOrAField) {
  try {
    pattern(R"({"a.0": 1})").key(wire::document_from_json(R"({"a": [{"0": 1}]})"));
    FAIL() << "0 is the first element and a field of it";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 16746);
  }
}

}  // namespace
}  // namespace emulator
