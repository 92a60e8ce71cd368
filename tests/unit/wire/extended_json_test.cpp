#include "wire/extended_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "wire/value_text.h"

namespace wire {
namespace {

// Texts that canonical form gives back letter for letter.
TEST(ExtendedJson, GivesBackCanonicalTexts) {
  for (
      const char* text : {
          R"({})",
          R"({"a": {"$numberInt": "1"}, "b": {"$numberLong": "-9223372036854775808"}})",
          R"({"d": {"$numberDouble": "0.1"}, "e": {"$numberDouble": "-0.0"}, "f": {"$numberDouble": "1e+300"}})",
          R"({"d": {"$numberDouble": "NaN"}, "e": {"$numberDouble": "Infinity"}, "f": {"$numberDouble": "-Infinity"}})",
          R"({"d": {"$numberDecimal": "1.50"}, "e": {"$numberDecimal": "1E+400"}})",
          R"({"s": "a\"\\\n\t\u0001é😀/", "n": null, "t": true, "f": false})",
          R"({"a": [], "b": [{"$numberInt": "1"}, [{"c": {}}]]})",
          R"({"b": {"$binary": {"base64": "AQID", "subType": "80"}}, "e": {"$binary": {"base64": "", "subType": "00"}}})",
          R"({"o": {"$oid": "507f1f77bcf86cd799439011"}, "d": {"$date": {"$numberLong": "-1"}}})",
          R"({"t": {"$timestamp": {"t": 4294967295, "i": 1}}, "r": {"$regularExpression": {"pattern": "^a/", "options": "im"}}})",
          R"({"c": {"$code": "f"}, "s": {"$code": "f", "$scope": {"x": {"$numberInt": "1"}}}})",
          R"({"s": {"$symbol": "x"}, "u": {"$undefined": true}, "m": {"$minKey": 1}, "M": {"$maxKey": 1}})",
          R"({"p": {"$dbPointer": {"$ref": "db.c", "$id": {"$oid": "507f1f77bcf86cd799439011"}}}})",
          R"({"q": {"$regex": "a", "$options": "i"}, "r": {"$ref": "c", "$id": {"$numberInt": "1"}}, "$$any": {"$gt": null}})",
      }) {
    EXPECT_EQ(to_json(document_from_json(text)), text);
    EXPECT_EQ(to_json(value_from_json(text).view()), text);
  }
}

TEST(ExtendedJson, WritesRelaxedForm) {
  const Document document = document_from_json(
      R"({"i": {"$numberInt": "1"}, "l": {"$numberLong": "5"}, "d": {"$numberDouble": "2.0"}, "n": {"$numberDouble": "NaN"},
          "t": {"$date": {"$numberLong": "1704067200000"}}, "m": {"$date": {"$numberLong": "1704067200001"}},
          "o": {"$date": {"$numberLong": "-1"}}, "x": {"$numberDecimal": "1"}})");
  EXPECT_EQ(
      to_json(document, JsonForm::Relaxed),
      R"({"i": 1, "l": 5, "d": 2.0, "n": {"$numberDouble": "NaN"}, "t": {"$date": "2024-01-01T00:00:00Z"}, )"
      R"("m": {"$date": "2024-01-01T00:00:00.001Z"}, "o": {"$date": {"$numberLong": "-1"}}, "x": {"$numberDecimal": "1"}})");
}

TEST(ExtendedJson, GivesNumbersTheSmallestTypeThatFits) {
  EXPECT_EQ(to_json(value_from_json("2147483647").view()), R"({"$numberInt": "2147483647"})");
  EXPECT_EQ(to_json(value_from_json("-2147483649").view()), R"({"$numberLong": "-2147483649"})");
  EXPECT_EQ(to_json(value_from_json("9223372036854775808").view()), R"({"$numberDouble": "9.223372036854776e+18"})");
  EXPECT_EQ(to_json(value_from_json("1.0").view()), R"({"$numberDouble": "1.0"})");
  EXPECT_EQ(to_json(value_from_json("-1.5E2").view()), R"({"$numberDouble": "-150.0"})");
}

TEST(ExtendedJson, WritesDoublesWithTheFewestDigits) {
  EXPECT_EQ(double_text(0.1), "0.1");
  EXPECT_EQ(double_text(100000), "100000.0");
  EXPECT_EQ(double_text(1e15), "1000000000000000.0");
  EXPECT_EQ(double_text(1e16), "1e+16");
  EXPECT_EQ(double_text(0.0001), "0.0001");
  EXPECT_EQ(double_text(0.00001), "1e-05");
  EXPECT_EQ(double_text(5e-324), "5e-324");
  EXPECT_EQ(double_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(double_text(-0.0), "-0.0");
}

TEST(ExtendedJson, ReadsTheOlderForms) {
  EXPECT_EQ(to_json(value_from_json(R"({"$uuid": "00112233-4455-6677-8899-aabbccddeeff"})").view()),
            R"({"$binary": {"base64": "ABEiM0RVZneImaq7zN3u/w==", "subType": "04"}})");
  EXPECT_EQ(to_json(value_from_json(R"({"$binary": "AQID", "$type": "05"})").view()),
            R"({"$binary": {"base64": "AQID", "subType": "05"}})");
  EXPECT_EQ(to_json(value_from_json(R"({"$date": 5})").view()), R"({"$date": {"$numberLong": "5"}})");
  EXPECT_EQ(to_json(value_from_json(R"({"$binary": {"subType": "0", "base64": "AQ"}})").view()),
            R"({"$binary": {"base64": "AQ==", "subType": "00"}})");
}

TEST(ExtendedJson, LeavesOutTheInnerLengthOfTheOldSubtype) {
  const std::string text = R"({"$binary": {"base64": "//8=", "subType": "02"}})";
  const Value value = value_from_json(text);
  EXPECT_EQ(value.view().as_binary().bytes.size(), 4U + 2U);
  EXPECT_EQ(to_json(value.view()), text);
}

TEST(ExtendedJson, ReadsDatesWithFractionsAndOffsets) {
  const auto ms = [](const std::string& date) {
    return value_from_json(R"({"$date": ")" + date + R"("})").view().as_date_ms();
  };
  EXPECT_EQ(ms("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(ms("2024-01-01T00:00:00.5Z"), 1704067200500);
  EXPECT_EQ(ms("2024-01-01T00:00:00.123456Z"), 1704067200123);
  EXPECT_EQ(ms("2024-01-01T02:00:00+02:00"), 1704067200000);
  EXPECT_EQ(ms("2023-12-31T22:30:00-0130"), 1704067200000);
  EXPECT_EQ(ms("0001-01-01T00:00:00Z"), -62135596800000);
  EXPECT_EQ(date_text(1704067200123), "2024-01-01T00:00:00.123Z");
  EXPECT_EQ(date_text(-1), "1969-12-31T23:59:59.999Z");
}

TEST(ExtendedJson, JoinsSurrogatePairs) {
  EXPECT_EQ(value_from_json(R"("\ud83d\ude00")").view().as_string(), "\xF0\x9F\x98\x80");
  EXPECT_EQ(value_from_json(R"("\u00e9\u0000\/")").view().as_string(), std::string_view("\xC3\xA9\0/", 4));
}

struct Flaw {
  std::string text;
  int line;
  int column;
  const char* message;
};

class JsonFlaw : public testing::TestWithParam<Flaw> {};

TEST_P(JsonFlaw, IsRefusedWithItsPlace) {
  const Flaw& flaw = GetParam();
  try {
    document_from_json(flaw.text);
    ADD_FAILURE() << flaw.text << " was read";
  } catch (const JsonError& error) {
    EXPECT_EQ(error.line(), flaw.line) << flaw.text;
    EXPECT_EQ(error.column(), flaw.column) << flaw.text;
    EXPECT_EQ(error.message(), flaw.message) << flaw.text;
    EXPECT_EQ(std::string(error.what()),
              "line " + std::to_string(flaw.line) + ", column " + std::to_string(flaw.column) + ": " + flaw.message);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, JsonFlaw,
    testing::Values(
        Flaw{"", 1, 1, "expected an object"}, Flaw{"[]", 1, 1, "expected an object"},
        Flaw{"{\"a\": 1,\n  \"b\" 2}", 2, 7, "expected ':'"}, Flaw{"{\"é\": x}", 1, 7, "expected a value"},
        Flaw{"{\"a\": 1 \"b\": 2}", 1, 9, "expected ',' or '}'"}, Flaw{"{\"a\": [1, 2", 1, 12, "array without end"},
        Flaw{"{\"a\": 1", 1, 8, "object without end"}, Flaw{"{\"a\": ", 1, 7, "expected a value, but the text ends"},
        Flaw{"{\"a\": \"x", 1, 7, "string without end"}, Flaw{"{\"a\": 1} x", 1, 10, "expected the end of the text"},
        Flaw{"{\"a\": 1, \"b\": 2, \"a\": 3}", 1, 18, "the key \"a\" is there twice"},
        Flaw{"{\"a\": \"\\ud83d\"}", 1, 8, "half of a surrogate pair"},
        Flaw{"{\"a\": \"\\ude00\"}", 1, 8, "half of a surrogate pair"},
        Flaw{"{\"a\": \"\\x\"}", 1, 8, "unknown escape"},
        Flaw{"{\"a\": \"\\u00g0\"}", 1, 10, "expected four hexadecimal digits"},
        Flaw{"{\"a\": \"\x80\"}", 1, 8, "invalid UTF-8"},
        Flaw{"{\"a\": \"\n\"}", 1, 8, "control character in a string; write it as an escape"},
        Flaw{"{\"a\\u0000\": 1}", 1, 2, "a field name cannot hold U+0000"},
        Flaw{"{\"a\": 01}", 1, 7, "number with a leading zero"}, Flaw{"{\"a\": 1.}", 1, 9, "expected a digit"},
        Flaw{"{\"a\": 1e999}", 1, 7, "number out of the range of a double"},
        Flaw{"{\"a\": nulls}", 1, 7, "expected a value"},
        Flaw{"{\"a\": {\"$oid\": \"12\"}}", 1, 16, "\"$oid\" is 24 hexadecimal digits"},
        Flaw{"{\"a\": {\"$numberInt\": \"2147483648\"}}", 1, 22, "\"$numberInt\" is not a whole number of its range"},
        Flaw{"{\"a\": {\"$numberInt\": 1}}", 1, 22, "expected a string"},
        Flaw{"{\"a\": {\"$numberLong\": \"1\", \"b\": 2}}", 1, 26,
             "nothing may follow in an object with \"$numberLong\""},
        Flaw{"{\"a\": {\"$date\": \"2023-02-29T00:00:00Z\"}}", 1, 17,
             "\"$date\" is not a date such as 2024-01-31T23:59:59.999Z"},
        Flaw{"{\"a\": {\"$timestamp\": {\"t\": 1, \"t\": 2}}}", 1, 31, "expected \"t\" and \"i\""},
        Flaw{"{\"a\": {\"$timestamp\": {\"t\": -1, \"i\": 2}}}", 1, 28, "\"t\" is a whole number from 0 to 4294967295"},
        Flaw{"{\"a\": {\"$binary\": {\"base64\": \"?\", \"subType\": \"00\"}}}", 1, 30, "invalid base64"},
        Flaw{"{\"a\": {\"$minKey\": 2}}", 1, 19, "\"$minKey\" is 1"},
        Flaw{"{\"a\": {\"$uuid\": \"00112233445566778899aabbccddeeff\"}}", 1, 17,
             "\"$uuid\" is not a UUID such as 00112233-4455-6677-8899-aabbccddeeff"}));

TEST(ExtendedJson, KeepsDuplicateKeysWhenAsked) {
  const Document document = document_from_json(R"({"a": 1, "a": 2})", {.duplicate_keys = DuplicateKeys::Kept});
  EXPECT_EQ(document.view().count(), 2U);
}

TEST(ExtendedJson, BoundsDepthAndSize) {
  const auto nested = [](int levels) {
    std::string text;
    for (int i = 1; i < levels; ++i) text += R"({"a": )";
    return text + R"({"a": {"$numberInt": "1"}})" + std::string(static_cast<std::size_t>(levels - 1), '}');
  };
  EXPECT_NO_THROW(document_from_json(nested(depth_max)));
  EXPECT_THROW(document_from_json(nested(depth_max + 1)), JsonError);
  EXPECT_THROW(document_from_json(std::string(1'000'000, '[')), JsonError);
  EXPECT_THROW(value_from_json("[[1]]", {.nesting_max = 1}), JsonError);
  EXPECT_THROW(value_from_json("[1, 2]", {.text_bytes_max = 5}), JsonError);
}

}  // namespace
}  // namespace wire
