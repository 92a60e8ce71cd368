#include "emulator/field_slots.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace emulator {
namespace {

wire::Document json(std::string_view text) { return wire::document_from_json(text); }

std::string settled(FieldSlots slots, std::string_view document) {
  return wire::to_json(slots.settle({}, json(document), {}, FieldTouch::Written), wire::JsonForm::Relaxed);
}

TEST(FieldSlots, AFieldThatWasTakenAwayComesBackToItsPlace) {
  FieldSlots slots(json(R"({"a": 1, "b": 2, "c": 3})"));
  EXPECT_EQ(settled(slots, R"({"a": 1, "c": 3, "b": 4})"), R"({"a": 1, "b": 4, "c": 3})");
}

TEST(FieldSlots, NewFieldsStandAtTheEndInTheOrderInWhichTheyCame) {
  FieldSlots slots(json(R"({"a": 1})"));
  slots.settle({}, json(R"({"a": 1, "y": 1})"), {}, FieldTouch::Written);
  EXPECT_EQ(settled(slots, R"({"x": 2, "a": 1, "y": 1})"), R"({"a": 1, "y": 1, "x": 2})");
}

TEST(FieldSlots, APlaceIsReservedBeforeTheFirstOfTheNamedFieldsThatIsThere) {
  FieldSlots slots(json(R"({"_id": 1, "ns": 2})"));
  slots.reserve("fullDocument", {"to", "ns"});
  slots.reserve("last", {"nowhere"});
  EXPECT_EQ(settled(slots, R"({"_id": 1, "ns": 2, "last": 4, "fullDocument": 3})"),
            R"({"_id": 1, "fullDocument": 3, "ns": 2, "last": 4})");
}

TEST(FieldSlots, AFieldThatWasWrittenWithoutAValueHasAPlace) {
  FieldSlots slots(json(R"({"a": 1})"));
  const std::vector<FieldSteps> written{{"y"}, {"x"}};
  slots.settle({}, json(R"({"a": 1, "x": 2})"), written, FieldTouch::Written);
  EXPECT_EQ(settled(slots, R"({"a": 1, "x": 2, "y": 3})"), R"({"a": 1, "y": 3, "x": 2})");
}

TEST(FieldSlots, AFieldInsideComesBackToItsPlaceUntilTheDocumentAroundItIsWritten) {
  const wire::Document before = json(R"({"e": {"c": 1, "d": 2}})");
  const wire::Document between = json(R"({"e": {"d": 2}})");
  const std::vector<FieldSteps> inside{{"e", "c"}};
  const std::vector<FieldSteps> whole{{"e"}};
  FieldSlots slots(before);
  slots.settle(before, between, inside, FieldTouch::Removed);
  FieldSlots other = slots;
  const auto added = [&](FieldSlots& each) {
    return wire::to_json(each.settle(between, json(R"({"e": {"d": 2, "c": 3}})"), inside, FieldTouch::Written),
                         wire::JsonForm::Relaxed);
  };
  EXPECT_EQ(added(slots), R"({"e": {"c": 3, "d": 2}})");
  other.settle(between, between, whole, FieldTouch::Written);
  EXPECT_EQ(added(other), R"({"e": {"d": 2, "c": 3}})");
}

}  // namespace
}  // namespace emulator
