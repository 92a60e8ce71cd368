#include "emulator/expression.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/expression_parts.h"
#include "wire/extended_json.h"

namespace emulator {
namespace {

ParseContext context() {
  ParseContext made;
  made.profile = find_profile("mongodb-6.0");
  made.now_ms = 5000;
  made.cluster_time = {7, 1};
  return made;
}

std::string value_of(std::string_view expression, const ParseContext& with, std::string_view document = "{}") {
  const wire::Value value =
      evaluate(*parse_expression(wire::value_from_json(expression), with), wire::document_from_json(document));
  return value ? wire::to_json(value.view(), wire::JsonForm::Relaxed) : "missing";
}

TEST(Expression, TakesTimesFromItsContext) {
  EXPECT_EQ(value_of(R"("$$NOW")", context()), R"({"$date": "1970-01-01T00:00:05Z"})");
  EXPECT_EQ(value_of(R"("$$CLUSTER_TIME")", context()), R"({"$timestamp": {"t": 7, "i": 1}})");
}

TEST(Expression, ReadsTheCommandsVariables) {
  ParseContext with = context();
  with.let =
      evaluate_let(wire::document_from_json(R"({"x": {"$add": [1, 2]}, "o": {"p": "q"}, "none": "$$REMOVE"})"), with);
  EXPECT_EQ(value_of(R"("$$x")", with), "3");
  EXPECT_EQ(value_of(R"("$$o.p")", with), R"("q")");
  EXPECT_EQ(value_of(R"({"$ifNull": ["$$none", "absent"]})", with), R"("absent")");
}

TEST(Expression, RefusesFieldsInLet) {
  try {
    evaluate_let(wire::document_from_json(R"({"x": "$a"})"), context());
    FAIL() << "a field was read before there was a document";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 4890500);
  }
}

TEST(Expression, FollowsPathsOverArraysButNotByIndex) {
  const wire::Document document = wire::document_from_json(R"({"a": [{"b": 1}, {"b": [2]}, 3, [{"b": 4}]]})");
  const auto at = [&](std::string_view path) {
    return value_at(wire::ValueView(wire::Type::Document, document.view().bytes()), path_steps(path));
  };
  EXPECT_EQ(wire::to_json(at("a.b").view(), wire::JsonForm::Relaxed), "[1, [2]]");
  EXPECT_EQ(wire::to_json(at("a.0").view(), wire::JsonForm::Relaxed), "[]");
}

TEST(Expression, BoundsPaths) {
  const auto path_of = [](int steps) {
    std::string path = "a";
    for (int i = 1; i < steps; ++i) path += ".a";
    return path;
  };
  const auto message = [](const auto& read) -> std::string {
    try {
      read();
    } catch (const CommandError& error) {
      EXPECT_EQ(error.code, 15);
      return error.message;
    }
    return "read";
  };
  EXPECT_EQ(value_of("\"$" + path_of(199) + "\"", context()), "missing");
  EXPECT_EQ(message([&] { value_of("\"$" + path_of(200) + "\"", context()); }), "FieldPath is too long");
  EXPECT_EQ(split_field_path(path_of(200), Wording::V6_0).size(), 200u);
  EXPECT_EQ(message([&] { split_field_path(path_of(201), Wording::V6_0); }), "FieldPath is too long");
}

TEST(Expression, BoundsTheNestingThatReduceMakes) {
  const auto nested = [](int levels) {
    return value_of(fmt::format(R"({{"$bsonSize": {{"$reduce": {{"input": {{"$range": [0, {}]}}, "initialValue": 1,
                                   "in": {{"a": "$$value"}}}}}}}})",
                                levels),
                    context());
  };
  EXPECT_NE(nested(200), "missing");
  for (const int levels : {201, 60'000}) {
    try {
      nested(levels);
      FAIL() << levels << " levels were made";
    } catch (const CommandError& error) {
      EXPECT_EQ(error.code, 15);
      EXPECT_EQ(error.message, "cannot convert document to BSON because it exceeds the limit of 200 levels of nesting");
    }
  }
}

TEST(Expression, DrawsChanceFromItsStream) {
  RandomStream one(1, "rand");
  RandomStream same(1, "rand");
  ParseContext with = context();
  with.random = &one;
  const auto expression = parse_expression(wire::value_from_json(R"({"$rand": {}})"), with);
  EXPECT_EQ(evaluate(*expression, wire::DocumentView()).view().as_double(), same.unit());
  EXPECT_EQ(evaluate(*expression, wire::DocumentView()).view().as_double(), same.unit());
}

TEST(Expression, NamesWhatIsNotBuilt) {
  try {
    parse_expression(wire::value_from_json(R"({"$toHashedIndexKey": 1})"), context());
    FAIL() << "$toHashedIndexKey is built";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 238);
    EXPECT_NE(error.message.find("$toHashedIndexKey"), std::string::npos);
  }
}

}  // namespace
}  // namespace emulator
