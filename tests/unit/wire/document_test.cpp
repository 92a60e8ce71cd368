#include "wire/document.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/wire/messages.h"

namespace wire {
namespace {

using messages::document;
using messages::element;
using messages::int32;
using messages::number;

using namespace std::string_literals;

std::string fault_text(std::string_view bytes) {
  std::size_t size = 0;
  const auto fault = check_document(messages::octets_of(bytes), &size);
  return fault ? fault->text.substr(0, fault->text.find(" in object")) : "none";
}

// Every type of BSON, nested documents and arrays.
Document rich_document() {
  const ObjectId id{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  const std::array<std::uint8_t, 3> some{7, 8, 9};
  DocumentBuilder builder;
  builder.append_object_id("_id", id).append_double("double", 1.5).append_string("string", "text");
  builder.begin_document("document").append_int32("a", 1).begin_document("b").append_null("c").end().end();
  builder.begin_array("array").item(Value::int32(1)).item(Value::string("two")).end();
  builder.append_binary("binary", 0, some).append_bool("true", true).append_bool("false", false);
  builder.append_date("date", -1).append_null("null").append("regex", Value::regex("^a", "i"));
  builder.append("code", Value::code("f()")).append("symbol", Value::symbol("s"));
  builder.append("decimal", Value::decimal({1, 2})).append_timestamp("timestamp", {5, 6});
  builder.append_int64("long", 1LL << 40).append("min", Value::min_key()).append("max", Value::max_key());
  builder.append("undefined", ValueView(Type::Undefined, {}));
  const std::string pointer = int32(2) + "n\0"s + std::string(12, 'p');
  builder.append("pointer", ValueView(Type::DbPointer, messages::octets_of(pointer)));
  const std::string scoped = int32(4 + 6 + 12) + int32(2) + "x\0"s + messages::small_document();
  builder.append("scoped", ValueView(Type::JavaScriptWithScope, messages::octets_of(scoped)));
  return builder.finish();
}

TEST(Document, ReadsBackWhatTheBuilderWrote) {
  const Document rich = rich_document();
  EXPECT_EQ(rich["double"].as_double(), 1.5);
  EXPECT_EQ(rich["string"].as_string(), "text");
  EXPECT_EQ(rich.find_path("document.a").as_int32(), 1);
  EXPECT_TRUE(rich.find_path("document.b.c").is(Type::Null));
  EXPECT_EQ(rich.find_path("array.1").as_string(), "two");
  EXPECT_EQ(rich["binary"].as_binary().bytes.size(), 3U);
  EXPECT_TRUE(rich["true"].as_bool());
  EXPECT_FALSE(rich["false"].as_bool());
  EXPECT_EQ(rich["date"].as_date_ms(), -1);
  EXPECT_EQ(rich["regex"].as_regex().pattern, "^a");
  EXPECT_EQ(rich["regex"].as_regex().options, "i");
  EXPECT_EQ(rich["code"].as_string(), "f()");
  EXPECT_EQ(rich["decimal"].as_decimal(), (Decimal128{1, 2}));
  EXPECT_EQ(rich["timestamp"].as_timestamp(), (Timestamp{5, 6}));
  EXPECT_EQ(rich["long"].as_int64(), 1LL << 40);
  EXPECT_EQ(rich["pointer"].pointer_namespace(), "n");
  EXPECT_EQ(rich["scoped"].code(), "x");
  EXPECT_EQ(rich["scoped"].scope()["a"].as_int32(), 1);
  EXPECT_TRUE(rich["absent"].missing());
  EXPECT_TRUE(rich.find_path("double.a").missing());
}

TEST(Document, CopiesShareOneBuffer) {
  const Document first = rich_document();
  const Document second = first;
  EXPECT_TRUE(first.same_buffer(second));
  EXPECT_TRUE(first.view().identical(Document(first.view())));
  EXPECT_FALSE(first.same_buffer(Document(first.view())));
}

TEST(Document, BuilderCanBeUsedAgainAfterFinish) {
  DocumentBuilder builder;
  builder.append_int32("a", 1).finish();
  EXPECT_EQ(messages::text_of(builder.append_int32("a", 1).finish()), messages::small_document());
}

TEST(CheckDocument, AcceptsEveryTypeAndSaysTheSize) {
  const Document rich = rich_document();
  const std::string bytes = messages::text_of(rich) + "what follows";
  std::size_t size = 0;
  EXPECT_FALSE(check_document(messages::octets_of(bytes), &size));
  EXPECT_EQ(size, rich.size());
}

TEST(CheckDocument, RefusesADocumentCutAtAnyByte) {
  const std::string bytes = messages::text_of(rich_document());
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    // In memory of exactly that size, so that a sanitizer sees a read behind it.
    const std::vector<std::uint8_t> part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
    std::size_t size = 0;
    EXPECT_TRUE(check_document(part, &size)) << cut;
  }
}

TEST(CheckDocument, RefusesADocumentShortenedAtAnyByteThatClaimsToBeWhole) {
  const std::string bytes = messages::text_of(rich_document());
  for (std::size_t cut = 5; cut < bytes.size(); ++cut) {
    std::string part = bytes.substr(0, cut);
    part.replace(0, 4, int32(static_cast<std::int64_t>(cut)));
    part.back() = '\0';
    std::size_t size = 0;
    // Between two elements that is a document again.
    if (check_document(messages::octets_of(part), &size)) continue;
    EXPECT_EQ(size, cut);
    std::size_t count = 0;
    for (const Element& it : DocumentView(messages::octets_of(part).data())) count += it.name.empty() ? 0 : 1;
    EXPECT_LT(count, 21U);
  }
}

struct Fault {
  std::string_view what;
  std::string bytes;
  std::string_view text;
};

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.what; }

class CheckDocumentFault : public testing::TestWithParam<Fault> {};

// The texts are those of mongod 6.0.5 for the same bytes.
TEST_P(CheckDocumentFault, IsNamedAsMongodNamesIt) { EXPECT_EQ(fault_text(GetParam().bytes), GetParam().text); }

const std::string ping = element(16, "ping", int32(1));

INSTANTIATE_TEST_SUITE_P(
    Each, CheckDocumentFault,
    testing::Values(
        Fault{"nothing", "", "BSON data has to be at least 5 bytes in element with field name '?'"},
        Fault{"size 4", int32(4) + "\0\0\0"s, "BSON data has to be at least 5 bytes in element with field name '?'"},
        Fault{"negative size", int32(-1) + "\0\0\0"s,
              "BSON data has to be at least 5 bytes in element with field name '?'"},
        Fault{"size past the end", int32(6) + "\0"s, "Incorrect BSON length in element with field name '?'"},
        Fault{"no EOO", int32(5) + "\1"s, "BSON object not terminated with EOO in element with field name '?'"},
        Fault{"early EOO", document(ping + "\0"s), "incorrect BSON length in element with field name 'ping'"},
        Fault{"unknown type", document(ping + element(32, "x", "")),
              "Unrecognized BSON type 32 in element with field name 'x'"},
        Fault{"type 0x80", document(element(0x80, "x", "")),
              "Unrecognized BSON type 128 in element with field name 'x'"},
        Fault{"bool 2", document(element(8, "x", "\2")),
              "BSON bool is neither false nor true in element with field name 'x'"},
        Fault{"bool cut", document(element(8, "x", "")),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"int cut", document(element(16, "x", "\1")),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"decimal cut", document(element(19, "x", "\1")),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"name without end", document("\x10xxxx"),
              "BSON size is larger than buffer size in element with field name 'xxxx'"},
        Fault{"string too long", document(element(2, "x", int32(255) + "a\0"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"string of negative length", document(element(2, "x", int32(-1) + "a\0"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"string of length 0", document(element(2, "x", int32(0) + "\0"s)),
              "Not null terminated string in element with field name 'x'"},
        Fault{"string without NUL", document(element(2, "x", int32(2) + "ab")),
              "Not null terminated string in element with field name 'x'"},
        Fault{"code without NUL", document(element(13, "x", int32(2) + "ab")),
              "Not null terminated string in element with field name 'x'"},
        Fault{"binary of negative length", document(element(5, "x", int32(-1) + "\0abc"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"binary cut", document(element(5, "x", int32(2) + "\0a"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"pointer cut", document(element(12, "x", int32(2) + "a\0abc"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"regex without options", document(element(11, "x", "a\0bc"s)),
              "BSON size is larger than buffer size in element with field name 'x'"},
        Fault{"nested size 4", document(element(3, "x", int32(4) + "\0"s)),
              "Nested BSON object has to be at least 5 bytes in element with field name 'x'"},
        Fault{"nested unknown type", document(element(3, "d", document(element(32, "yy", "")))),
              "Unrecognized BSON type 32 in element with field name 'd.yy'"},
        Fault{"nested in an array",
              document(element(3, "n",
                               document(element(4, "a", document(element(3, "0", document(element(32, "x", "")))))))),
              "Unrecognized BSON type 32 in element with field name 'n.a.0.x'"},
        Fault{"nested one too short", document(element(3, "n", int32(11) + element(16, "b", int32(1)) + "\0"s)),
              "incorrect BSON length in element with field name 'n.b'"},
        Fault{"nested one too long",
              document(element(3, "n", int32(13) + element(16, "b", int32(1)) + "\0"s) + element(16, "c", int32(1))),
              "incorrect BSON length in element with field name 'n.b'"},
        Fault{"scope one too long", document(element(15, "d", int32(16) + int32(2) + "a\0"s + int32(5) + "\0\0"s)),
              "incorrect BSON length in element with field name 'd'"},
        Fault{"subtype 2 with a wrong inner length", document(element(5, "x", int32(5) + "\2"s + int32(9) + "a")),
              "Binary of subtype 2 with a wrong inner length in element with field name 'x'"}));

TEST(CheckDocument, NamesTheIdOfTheDocument) {
  const auto text_with = [](std::string_view id) {
    std::size_t size = 0;
    const std::string bytes = document(std::string(id) + element(32, "x", ""));
    const std::string text = check_document(messages::octets_of(bytes), &size)->text;
    return text.substr(text.find("in object"));
  };
  EXPECT_EQ(text_with(element(16, "_id", int32(5))), "in object with _id: 5");
  EXPECT_EQ(text_with(element(1, "_id", number(3.0))), "in object with _id: 3.0");
  EXPECT_EQ(text_with(element(2, "_id", int32(2) + "a\0"s)), "in object with _id: \\\"a\\\"");
  EXPECT_EQ(text_with(element(7, "_id", std::string(12, '\1'))),
            "in object with _id: ObjectId('010101010101010101010101')");
  EXPECT_EQ(text_with(element(3, "_id", document(""))), "in object with unknown _id");
}

std::string nested(int count) {
  std::string bytes = document("");
  for (int i = 0; i < count; ++i) bytes = document(element(3, "a", bytes));
  return bytes;
}

TEST(CheckDocument, AcceptsTwoHundredDocumentsInsideTheOutermostAndNoMore) {
  EXPECT_EQ(fault_text(nested(depth_max)), "none");
  const std::string deeper = nested(depth_max + 1);
  std::size_t size = 0;
  const auto fault = check_document(messages::octets_of(deeper), &size);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->code, 15);
  EXPECT_EQ(fault->text.substr(0, 62), "BSONObj exceeds maximum nested object depth in element with fi");
}

}  // namespace
}  // namespace wire
