// disambiguatedPaths as the documentation tells of them (seed 000_e835f75d7f9701fc), exclusions included.
#include "emulator/update_description.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

wire::Document described(std::string_view diff) {
  wire::DocumentBuilder out;
  append_update_description("d", wire::document_from_json(diff), DisambiguatedPaths::Yes, out);
  const wire::Document document = out.finish();
  return wire::Document(document["d"].as_document());
}

bool paths_are(std::string_view diff, std::string_view paths) {
  return described(diff)["disambiguatedPaths"].as_document().identical(wire::document_from_json(paths));
}

TEST(UpdateDescription, AFieldWithADotIsOneComponent) {
  EXPECT_TRUE(paths_are(R"({"u": {"home.town": "London"}})", R"({"home.town": ["home.town"]})"));
  EXPECT_EQ(described(R"({"u": {"home.town": "London"}})")["updatedFields"].as_document().first().name, "home.town");
}

TEST(UpdateDescription, AnArrayIndexIsANumberAndAFieldOfThatNameAString) {
  EXPECT_TRUE(paths_are(R"({"sresidences": {"a": true, "s0": {"u": {"0": "London"}}}})",
                        R"({"residences.0.0": ["residences", 0, "0"]})"));
}

TEST(UpdateDescription, ANumericFieldThatComesFirstIsNotAmbiguous) {
  EXPECT_TRUE(paths_are(R"({"s0": {"u": {"name": 1}}})", "{}"));
  EXPECT_TRUE(paths_are(R"({"u": {"0": 1}})", "{}"));
}

TEST(UpdateDescription, ANumberWithLeadingZerosIsNotAmbiguous) {
  EXPECT_TRUE(paths_are(R"({"sa": {"u": {"0001": 1}}})", "{}"));
  EXPECT_TRUE(paths_are(R"({"sa": {"u": {"1": 1}}})", R"({"a.1": ["a", "1"]})"));
}

TEST(UpdateDescription, OnceAmbiguousAllDeeperPathsAreListed) {
  EXPECT_TRUE(paths_are(R"({"sa.b": {"u": {"c": 1}, "d": {"e": false}}})",
                        R"({"a.b.c": ["a.b", "c"], "a.b.e": ["a.b", "e"]})"));
}

TEST(UpdateDescription, AnUnambiguousUpdateHasAnEmptyList) {
  EXPECT_TRUE(paths_are(R"({"u": {"a": 1}, "sb": {"i": {"c": 2}}})", "{}"));
}

}  // namespace
}  // namespace emulator
