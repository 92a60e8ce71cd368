#include "wire/document_places.h"

#include <gtest/gtest.h>

#include "wire/extended_json.h"

namespace wire {
namespace {

Document json(std::string_view text) { return document_from_json(text); }
std::string text(DocumentView document) { return to_json(document, JsonForm::Relaxed); }

// {a: 1, b: (a place), c: 2}
Document placed() {
  DocumentBuilder out;
  return out.append_int32("a", 1).append("b", field_place).append_int32("c", 2).finish();
}

TEST(DocumentPlaces, AFieldWithoutAValueIsPassedOver) {
  EXPECT_EQ(text(placed()), R"({"a": 1, "c": 2})");
  EXPECT_FALSE(placed().has("b"));
  EXPECT_EQ(placed().view().count(), 2U);
}

TEST(DocumentPlaces, PlacedFieldsSeesItWithoutAValueAndNotTheMark) {
  std::string names;
  Element field;
  const Document document = as_changed(placed());
  for (PlacedFields fields(document); fields.next(field);) names += std::string(field.name) + (field.value ? "+" : "-");
  EXPECT_EQ(names, "a+b-c+");
}

TEST(DocumentPlaces, AnElementWithoutAValueIsMissingAndCounted) {
  DocumentBuilder out;
  const Document array = out.append_int32("0", 7).append("1", element_place).append_int32("2", 8).finish();
  EXPECT_EQ(array.view().count(), 3U);
  EXPECT_TRUE((*std::next(array.begin())).value.missing());
}

TEST(DocumentPlaces, WithoutPlacesIsBsonAtEveryDepth) {
  DocumentBuilder elements;
  elements.append("0", element_place).append_document("1", as_changed(placed()));
  DocumentBuilder out;
  out.append({}, change_mark).append_array("x", elements.view()).append("y", field_place);
  const Document bson = without_places(out.finish());
  EXPECT_TRUE(bson.view().identical(json(R"({"x": [{"a": 1, "c": 2}]})")));
}

TEST(DocumentPlaces, ADocumentWithoutAnyStaysItself) {
  const Document document = json(R"({"a": [1, {"b": 2}], "c": -1})");
  EXPECT_TRUE(without_places(document).view().identical(document));
  // Whatever bytes its values have: every byte of -8 but the lowest is FF, that one is F8.
  const Document like_a_place = json(R"({"a": -8, "b": [{"c": -7}, -6]})");
  EXPECT_TRUE(without_places(like_a_place).same_buffer(like_a_place));
}

TEST(DocumentPlaces, TheMarkTellsWhatWasChanged) {
  const Document document = json(R"({"a": 1})");
  EXPECT_FALSE(is_changed(document));
  EXPECT_TRUE(is_changed(as_changed(document)));
  EXPECT_TRUE(as_changed(as_changed(document)).view().identical(as_changed(document)));
  EXPECT_EQ(text(as_changed(document)), R"({"a": 1})");
}

TEST(DocumentPlaces, NoCheckedBytesHaveThem) {
  for (const ValueView each : {field_place, element_place, change_mark}) {
    DocumentBuilder out;
    const Document document = out.append("a", each).finish();
    std::size_t size_bytes = 0;
    EXPECT_TRUE(check_document(document.view().bytes(), &size_bytes));
  }
}

}  // namespace
}  // namespace wire
