#include "emulator/filter_subset.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

bool within(std::string_view query, std::string_view filter) {
  return is_subset_of(wire::document_from_json(query), wire::document_from_json(filter));
}

TEST(FilterSubset, AComparisonLiesWithinAWiderOneOfTheSamePath) {
  EXPECT_TRUE(within(R"({"a": 1})", R"({"a": {"$lte": 1.5}})"));
  EXPECT_TRUE(within(R"({"a": {"$lt": 1.5}})", R"({"a": {"$lte": 1.5}})"));
  EXPECT_TRUE(within(R"({"a": {"$gt": 5}, "b": 1})", R"({"a": {"$gte": 5}})"));
  EXPECT_FALSE(within(R"({"a": {"$lte": 1.6}})", R"({"a": {"$lte": 1.5}})"));
  EXPECT_FALSE(within(R"({"a": {"$lte": 1.5}})", R"({"a": {"$lt": 1.5}})"));
  EXPECT_FALSE(within(R"({"a": {"$gt": 1}})", R"({"a": {"$lte": 1.5}})"));
  EXPECT_FALSE(within(R"({"b": 1})", R"({"a": {"$lte": 1.5}})"));
}

TEST(FilterSubset, ComparisonsStayWithinTheirType) { EXPECT_FALSE(within(R"({"a": "text"})", R"({"a": {"$gt": 1}})")); }

TEST(FilterSubset, EveryPartOfTheFilterMustBeAskedFor) {
  EXPECT_TRUE(within(R"({"$and": [{"a": 1}, {"b": 2}]})", R"({"a": {"$gt": 0}, "b": 2})"));
  EXPECT_FALSE(within(R"({"a": 1})", R"({"a": {"$gt": 0}, "b": 2})"));
}

TEST(FilterSubset, WhatComparesExists) {
  EXPECT_TRUE(within(R"({"a": {"$gt": 1}})", R"({"a": {"$exists": true}})"));
  EXPECT_FALSE(within(R"({"a": null})", R"({"a": {"$exists": true}})"));
  EXPECT_FALSE(within(R"({"a": {"$gt": 1}})", R"({"a": {"$exists": false}})"));
}

}  // namespace
}  // namespace emulator
