#include "emulator/store/projection.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

TEST(Projection, OfNothingHandsOutTheDocumentItself) {
  const wire::Document document = wire::document_from_json(R"({"_id": 1, "a": 2})");
  const Projection projection = Projection::parse(wire::DocumentView(), ProjectionKind::Find);
  EXPECT_TRUE(projection.lets_everything_through());
  EXPECT_TRUE(projection.apply(document).same_buffer(document));
}

TEST(Projection, SaysWhenThePositionalElementIsOutOfTheArray) {
  const Matcher filter = Matcher::parse(wire::document_from_json(R"({"long": 3})"));
  const Projection projection = Projection::parse(wire::document_from_json(R"({"short.$": 1})"), ProjectionKind::Find);
  const wire::Document document = wire::document_from_json(R"({"long": [1, 2, 3], "short": [1]})");
  try {
    projection.apply(document, &filter);
    FAIL() << "the array of one has no third element";
  } catch (const CommandError& error) {
    EXPECT_EQ(error.code, 51247);
  }
}

}  // namespace
}  // namespace emulator
