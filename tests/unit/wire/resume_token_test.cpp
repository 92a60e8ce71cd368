#include "wire/resume_token.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "wire/extended_json.h"
#include "wire/hex.h"

namespace wire {
namespace {

Document golden(const std::string& name) {
  const std::ifstream file(std::string(OPLOGUE_SOURCE_DIR) + "/tests/golden/tokens/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return document_from_json(text.str());
}

Document token(std::string_view data) { return DocumentBuilder().append_string("_data", data).finish(); }

std::string data_of(DocumentView encoded) { return std::string(encoded["_data"].as_string()); }

constexpr Uuid some_uuid{0xF1, 0x95, 0xDB, 0xDB, 0x0E, 0xD5, 0x43, 0xD6,
                         0xA3, 0xD3, 0xA2, 0xC7, 0x97, 0x74, 0x17, 0xFD};

class GoldenTokens : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTokens, ComeBackByteForByte) {
  const Document file = golden(GetParam());
  int count = 0;
  for (const Element& entry : file["tokens"].as_document()) {
    const DocumentView recorded = entry.value.as_document()["token"].as_document();
    const Document again = encode(decode_resume_token(recorded));
    EXPECT_TRUE(again.view().identical(recorded)) << to_json(recorded) << " became " << to_json(again);
    ++count;
  }
  EXPECT_GT(count, 40);
}

INSTANTIATE_TEST_SUITE_P(Each, GoldenTokens,
                         testing::Values("tokens.json", "tokens-v2.json", "tokens-split.json", "tokens-numbers.json"));

TEST(ResumeToken, HoldsTheEventsKeyWithItsTypesInVersion1) {
  int compared = 0;
  const Document file = golden("tokens.json");
  for (const Element& entry : file["tokens"].as_document()) {
    const DocumentView recorded = entry.value.as_document();
    const ValueView event = recorded["event"];
    if (!event || event.as_document()["operationType"].as_string() == "invalidate") continue;
    const ResumeToken read = decode_resume_token(recorded["token"].as_document());
    EXPECT_EQ(read.cluster_time, event.as_document()["clusterTime"].as_timestamp());
    EXPECT_EQ(read.version, 1);
    const ValueView key = event.as_document()["documentKey"];
    if (!key) continue;
    EXPECT_TRUE(read.event_identifier.view().identical(key))
        << to_json(key) << " is " << to_json(read.event_identifier.view());
    ++compared;
  }
  EXPECT_GT(compared, 100);
}

TEST(ResumeToken, HoldsOperationTypeAndKeyInVersion2) {
  int compared = 0;
  const Document file = golden("tokens-v2.json");
  for (const Element& entry : file["tokens"].as_document()) {
    const DocumentView recorded = entry.value.as_document();
    const ResumeToken read = decode_resume_token(recorded["token"].as_document());
    EXPECT_EQ(read.version, 2);
    if (!read.event_identifier) continue;
    const DocumentView identifier = read.event_identifier.view().as_document();
    if (recorded["operationType"].is(Type::String) && !read.from_invalidate) {
      EXPECT_EQ(identifier["operationType"].as_string(), recorded["operationType"].as_string());
    }
    if (!recorded["documentKey"].is(Type::Document)) continue;
    EXPECT_TRUE(identifier["documentKey"].identical(recorded["documentKey"])) << to_json(recorded["documentKey"]);
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

TEST(ResumeToken, HoldsNumbersOfEveryRangeExactly) {
  const Document file = golden("tokens-numbers.json");
  for (const Element& entry : file["tokens"].as_document()) {
    const DocumentView recorded = entry.value.as_document();
    const ResumeToken read = decode_resume_token(recorded["token"].as_document());
    EXPECT_TRUE(read.event_identifier.view().identical(recorded["documentKey"])) << to_json(recorded["documentKey"]);
  }
}

TEST(ResumeToken, CountsFragmentsFromZero) {
  const Document file = golden("tokens-split.json");
  for (const Element& entry : file["tokens"].as_document()) {
    const DocumentView recorded = entry.value.as_document();
    const ResumeToken read = decode_resume_token(recorded["token"].as_document());
    const ValueView split = recorded["splitEvent"];
    if (!split.is(Type::Document)) continue;
    EXPECT_EQ(read.fragment_num, split.as_document()["fragment"].as_int32() - 1);
  }
}

TEST(ResumeToken, WritesHighWaterMarks) {
  EXPECT_EQ(data_of(encode(high_water_mark({0x6B0D4F87, 2}, 1))), "826B0D4F87000000022B0229296E04");
  EXPECT_EQ(data_of(encode(high_water_mark({0x6B0D4F92, 2}, 2))), "826B0D4F92000000022B0429296E1404");
}

TEST(ResumeToken, WritesVersion0WithoutKind) {
  ResumeToken event;
  event.version = 0;
  event.kind = ResumeToken::Kind::Event;
  event.cluster_time = {1, 2};
  event.uuid = some_uuid;
  event.event_identifier = Value::document(document_from_json(R"({"_id": 1})"));
  const Document encoded = encode(event);
  EXPECT_EQ(data_of(encoded), "82000000010000000229295A1004F195DBDB0ED543D6A3D3A2C7977417FD461E5F6964002B020004");
  EXPECT_EQ(decode_resume_token(encoded).version, 0);
}

TEST(ResumeToken, TakesAHighWaterMarkInAnyDressMongodTakes) {
  for (const char* data :
       {"8200000001000000012B0229296E04", "8200000001000000012B0229296E", "8200000001000000012B0229296E0400",
        "8200000001000000012b0229296e04", "8200000001000000012B0429296E14042B"}) {
    const ResumeToken read = decode_resume_token(token(data));
    EXPECT_EQ(read.cluster_time, (Timestamp{1, 1})) << data;
    EXPECT_EQ(read.kind, ResumeToken::Kind::HighWaterMark) << data;
  }
}

struct Refused {
  std::string json;
  int code;
  const char* text;
};

void expect_refused(const Refused& refused, TokenDialect dialect) {
  try {
    decode_resume_token(document_from_json(refused.json), dialect);
    ADD_FAILURE() << refused.json << " was read";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.code(), refused.code) << refused.json;
    EXPECT_STREQ(error.what(), refused.text) << refused.json;
  }
}

std::string with_data(const std::string& data) { return R"({"_data": ")" + data + R"("})"; }

// What mongod 6.0.5 answered.
TEST(ResumeToken, RefusesTheFormsThatAreNone) {
  const std::vector<Refused> cases = {
      {R"({})", 40647, "Bad resume token: _data of missing or of wrong type. Expected string, got {}"},
      {R"({"x": 1})", 40647, "Bad resume token: _data of missing or of wrong type. Expected string, got {x: 1}"},
      {R"({"_data": null})", 40647,
       "Bad resume token: _data of missing or of wrong type. Expected string, got {_data: null}"},
      {R"({"_data": {"$binary": {"base64": "ggAAAAE=", "subType": "00"}}})", 40647,
       "Bad resume token: _data of missing or of wrong type. Expected string, got {_data: BinData(0, \"8200000001\")}"},
      {R"({"_data": "", "_typeBits": 5})", 40648,
       "Bad resume token: _typeBits of wrong type {_data: \"\", _typeBits: 5}"},
      {with_data("garbage"), 9, "resume token string was not a valid hex string"},
      {with_data("82ZZ"), 9, "resume token string was not a valid hex string"},
      {with_data("8"), 9, "resume token string was not a valid hex string"},
      {with_data(""), 40649, "invalid empty resume token"},
      {with_data("04"), 40649, "invalid empty resume token"},
      {with_data("82"), 15, "Invalid advance (8) past end of buffer[0] at offset: 0"},
      {with_data("8200000001"), 15, "Invalid advance (8) past end of buffer[4] at offset: 0"},
      {with_data("00"), 50811, "KeyString format error: Unknown type: 0"},
  };
  for (const Refused& refused : cases) expect_refused(refused, TokenDialect::Server60Split);
}

std::vector<Refused> wrong_fields() {
  const std::string time = "820000000100000001";
  const std::string event = time + "2B022C0100296E";
  const std::string event_2 = time + "2B042C0100296E";
  return {
      {with_data(time), 50796, "Resume Token does not contain version"},
      {with_data("29"), 50796, "Resume Token does not contain version"},
      {with_data(time + "3C7800"), 50854, "Invalid resume token: wrong type for version"},
      {with_data(time + "2B06"), 50795, "Invalid Resume Token: only supports version 0, 1 and 2"},
      {with_data(time + "27FD"), 50795, "Invalid Resume Token: only supports version 0, 1 and 2"},
      {with_data(time + "2B02"), 51055, "Resume Token does not contain tokenType"},
      {with_data(time + "2B023C00"), 51056, "Resume Token tokenType is not an int."},
      {with_data(time + "2B022B0204"), 51057, "Token type 1 not recognized"},
      {with_data(time + "2B022C010004"), 50793, "Resume Token does not contain txnOpIndex"},
      {with_data(time + "2B022C01003C0004"), 50855, "Resume Token txnOpIndex is not an integer"},
      {with_data(time + "2B022C010027FD04"), 50794, "Invalid Resume Token: txnOpIndex should be non-negative"},
      {with_data(time + "2B022C01002904"), 50872, "Resume Token does not contain fromInvalidate"},
      {with_data(time + "2B022C0100292904"), 50870, "Resume Token fromInvalidate is not a boolean."},
      {with_data(event_2 + "04"), 6189500, "Expected UUID or null"},
      {with_data(event + "2904"), 207, "uuid must be a 16-byte binary field with UUID (4) subtype"},
      {with_data(event + "5A0300010204"), 207, "uuid must be a 16-byte binary field with UUID (4) subtype"},
      {with_data(time + "2B0429296E14460004"), 6189504, "Invalid high water mark token"},
      {with_data(time + "2B0429296E142904"), 6189504, "Invalid high water mark token"},
      {with_data(event_2 + "1404"), 6189501, "Expected an eventIdentifier for an event resume token"},
      {with_data(event_2 + "142904"), 6189503, "Resume Token eventIdentifier is not an object"},
      {with_data(event + "5A1004F195DBDB0ED543D6A3D3A2C7977417FD46002904"), 40646, "invalid oversized resume token"},
      {with_data(event_2 + "1446002929"), 40646, "invalid oversized resume token"},
      {with_data(event_2 + "14460027FD04"), 7182501, "Resume token 'fragmentNum' must be a non-negative integer."},
      {with_data(event_2 + "14460014"), 7182501, "Resume token 'fragmentNum' must be a non-negative integer."},
  };
}

TEST(ResumeToken, RefusesFieldsThatAreWrong) {
  for (const Refused& refused : wrong_fields()) expect_refused(refused, TokenDialect::Server60Split);
}

TEST(ResumeToken, SpeaksTheDialectOfTheServer) {
  const std::string version_2 = with_data("8200000001000000012B0429296E1404");
  expect_refused({version_2, 50795, "Invalid Resume Token: only supports version 0 or 1"}, TokenDialect::Server44);
  expect_refused({with_data("00"), 50811, "Unknown type: 0"}, TokenDialect::Server42);
  const std::string fragment = with_data("8200000001000000012B042C0100296E1446002904");
  expect_refused({fragment, 40646, "invalid oversized resume token"}, TokenDialect::Server60);
  EXPECT_EQ(decode_resume_token(document_from_json(fragment)).fragment_num, 0);
}

TEST(ResumeToken, ReadsTheTypesOfItsFieldsFromTheTypeBits) {
  const std::string mark = R"({"_data": "8200000001000000012B0229296E04", "_typeBits": {"$binary": {"base64": ")";
  const auto with_bits = [&](const char* base64) { return mark + base64 + R"(", "subType": "00"}}})"; };
  expect_refused({with_bits("AQ=="), 50854, "Invalid resume token: wrong type for version"}, TokenDialect::Server60);
  expect_refused({with_bits("BA=="), 51056, "Resume Token tokenType is not an int."}, TokenDialect::Server60);
  expect_refused({with_bits("EA=="), 50855, "Resume Token txnOpIndex is not an integer"}, TokenDialect::Server60);
  expect_refused({with_bits("hYA="), 15, "Invalid advance (5) past end of buffer[1] at offset: 0"},
                 TokenDialect::Server60);
  expect_refused({with_bits("gA=="), 15, "buffer size too small to read (4) bytes out of buffer[0] at offset: 0"},
                 TokenDialect::Server60);
  EXPECT_EQ(decode_resume_token(document_from_json(with_bits("QA=="))).kind, ResumeToken::Kind::HighWaterMark);
}

TEST(ResumeToken, SortsByDataAlone) {
  const Document mark = encode(high_water_mark({1, 1}, 1));
  const Document later = encode(high_water_mark({1, 2}, 1));
  const Document newer = encode(high_water_mark({1, 1}, 2));
  EXPECT_TRUE(compare_tokens(mark, later) < 0);
  EXPECT_TRUE(compare_tokens(mark, newer) < 0);
  EXPECT_TRUE(compare_tokens(token("8200000001000000012b0229296e04"), mark) == 0);
  EXPECT_TRUE(compare_tokens(Document(), mark) < 0);
}

TEST(EventTokenTemplate, WritesWhatEncodeWrites) {
  const auto check = [](int version, const char* key_json) {
    const Document key = document_from_json(key_json);
    const EventTokenTemplate prepared(version, some_uuid, "update");
    ResumeToken event;
    event.version = version;
    event.kind = ResumeToken::Kind::Event;
    event.cluster_time = {0x6B0D4F8F, 7};
    event.uuid = some_uuid;
    event.event_identifier = Value::document(
        version == 2
            ? DocumentBuilder().append_string("operationType", "update").append_document("documentKey", key).finish()
            : key);
    const SimpleKey simple = simple_key(key);
    ASSERT_TRUE(simple);
    std::vector<std::uint8_t> written(prepared.size(simple));
    EXPECT_EQ(prepared.write(written.data(), event.cluster_time, simple), written.data() + written.size());
    const Document want = encode(event);
    ASSERT_EQ(written.size(), want.size());
    EXPECT_TRUE(DocumentView(written.data()).identical(want)) << key_json;
  };
  const std::string long_key = R"({"_id": ")" + std::string(500, 'x') + R"("})";
  for (const int version : {0, 1, 2})
    for (const char* key : {R"({"_id": 0})", R"({"_id": -70000})", R"({"_id": "ab"})",
                            R"({"_id": {"$numberLong": "0"}})", R"({"_id": {"$numberLong": "-8000000000"}})",
                            R"({"_id": {"$oid": "507f1f77bcf86cd799439011"}})", long_key.c_str()})
      check(version, key);
}

}  // namespace
}  // namespace wire
