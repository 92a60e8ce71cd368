#include "wire/key_string.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "wire/compare.h"
#include "wire/decimal.h"
#include "wire/format_error.h"
#include "wire/hex.h"
#include "wire/resume_token.h"

namespace wire {
namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Value decimal(std::string_view text) { return Value::decimal(decimal_from_string(text).value()); }
Value binary(std::uint8_t subtype, std::string bytes) { return Value::binary(subtype, bytes_of(bytes)); }
Value binary_hex(std::uint8_t subtype, std::string_view hex) { return binary(subtype, from_hex(hex).value()); }

template <class Fill>
Value object(Fill fill) {
  DocumentBuilder builder;
  fill(builder);
  return Value::document(builder.finish());
}

Value code_with_scope(std::string_view text, DocumentView scope) {
  std::string bytes(8, '\0');
  const auto length = static_cast<std::uint32_t>(text.size() + 1);
  const auto whole = static_cast<std::uint32_t>(8 + length + scope.size());
  std::memcpy(bytes.data(), &whole, 4);
  std::memcpy(bytes.data() + 4, &length, 4);
  bytes.append(text).append(1, '\0').append(reinterpret_cast<const char*>(scope.data()), scope.size());
  return ValueView(Type::JavaScriptWithScope, bytes_of(bytes));
}

struct Vector {
  Value value;
  std::string hex;
  // `_typeBits` of the version 1 token whose document key is {_id: value}.
  std::string token_type_bits;
};

std::string repeated(std::string_view text, int count) {
  std::string out;
  while (count-- > 0) out += text;
  return out;
}

// What a mongod 6.0.5 made of these values as _id (server-facts 1.7).
std::vector<Vector> integer_vectors() {
  return {
      {Value::int32(0), "29", ""},
      {Value::int32(1), "2B02", ""},
      {Value::int32(-1), "27FD", ""},
      {Value::int32(127), "2BFE", ""},
      {Value::int32(128), "2C0100", ""},
      {Value::int32(255), "2C01FE", ""},
      {Value::int32(256), "2C0200", ""},
      {Value::int32(-128), "26FEFF", ""},
      {Value::int32(2147483647), "2EFFFFFFFE", ""},
      {Value::int32(std::numeric_limits<std::int32_t>::min()), "23FEFFFFFFFF", ""},
      {Value::int64(0), "29", "8180"},
      {Value::int64(5), "2B0A", "8180"},
      {Value::int64(9007199254740993), "3140000000000002", "8180"},
      {Value::int64(std::numeric_limits<std::int64_t>::max()), "32FFFFFFFFFFFFFFFE", "8180"},
      {Value::int64(std::numeric_limits<std::int64_t>::min()), "1FF83FFFFFFFFFFFFF", "8180"},
      {Value::int64(-(std::int64_t{1} << 40)), "22FDFFFFFFFFFF", "8180"},
  };
}

std::vector<Vector> double_vectors() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {
      {Value::number(0.0), "29", "40"},
      {Value::number(2.0), "2B04", "40"},
      {Value::number(-0.0), "29", "82C000"},
      {Value::number(1.5), "2B0380000000000000", "40"},
      {Value::number(-1.5), "27FC7FFFFFFFFFFFFF", "40"},
      {Value::number(0.1), "2AFEE6666666666668", "40"},
      {Value::number(-0.1), "280119999999999997", "40"},
      {Value::number(3.14159), "2B07243F3E0370CDC0", "40"},
      {Value::number(255.5), "2C01FF800000000000", "40"},
      {Value::number(256.5), "2C0201800000000000", "40"},
      {Value::number(123456789.123), "2E0EB79A2B1F7CED80", "40"},
      {Value::number(9223372036854775808.0), "3307C0000000000000", "40"},
      {Value::number(1e300), "337C6FC8791000EB38", "40"},
      {Value::number(-1e300), "1F83903786EFFF14C7", "40"},
      {Value::number(1e-300), "2A634ADC3F85F1E6B2", "40"},
      {Value::number(5e-324), "2A59A0000000000000", "40"},
      {Value::number(infinity), "33FFFFFFFFFFFFFFFF", "40"},
      {Value::number(-infinity), "1F0000000000000000", "40"},
      {Value::number(std::numeric_limits<double>::quiet_NaN()), "1E", "40"},
  };
}

std::vector<Vector> decimal_vectors() {
  return {
      {decimal("1"), "2B02", "82C001"},
      {decimal("1.0"), "2B02", "82C03E"},
      {decimal("0"), "29", "83C00E02"},
      {decimal("-0"), "29", "83C00B02"},
      {decimal("0.00"), "29", "83C00E3C"},
      {decimal("1.5"), "2B0380000000000000", "82C03E"},
      {decimal("0.1"), "2AFEE6666666666666", "82C03E"},
      {decimal("-0.1"), "280119999999999999", "82C03E"},
      {decimal("1.23456789012345678901234567890123"), "2B033C0CA428C59FB1015E3A2DCB23CC32", "82C000"},
      {decimal("9007199254740993.5"), "31400000000000030306F05B59D3B20000", "82C03E"},
      {decimal("72057594037927937.5"), "32020000000000000300B1A2BC2EC50000", "82C03E"},
      {decimal("1E40"), "33107AC653E386B9490C8FB3D82DCF4623", "82C004"},
      {decimal("1E400"), "33B31E314DC6448D9338C15B0A00000000", "82C003"},
      {decimal("-1E400"), "1F4CE1CEB239BB726CC73EA4F5FFFFFFFF", "82C003"},
      {decimal("1E-400"), "2A2CDE314DC6448D9338C15B0A00000000", "82C002"},
      {decimal("1E-310"), "2A5F24D116E1CC561F1639B8193FD88016", "82C015"},
      {decimal("NaN"), "1E", "81C0"},
      {decimal("Infinity"), "33FFFFFFFFFFFFFFFF", "81C0"},
      {decimal("-Infinity"), "1F0000000000000000", "81C0"},
  };
}

std::vector<Vector> other_vectors() {
  const Value int_field = object([](DocumentBuilder& b) { b.append_int32("x", 1); });
  return {
      {Value::string(""), "3C00", ""},
      {Value::string("a"), "3C6100", ""},
      {Value::string("hello"), "3C68656C6C6F00", ""},
      {Value::string(std::string_view("a\0b", 3)), "3C6100FF6200", ""},
      {Value::string("\xC3\xA9"), "3CC3A900", ""},
      {binary_hex(0, "010203"), "5A0300010203", ""},
      {binary(0, ""), "5A0000", ""},
      {binary(5, std::string(16, '\0')), "5A1005" + repeated("00", 16), ""},
      {binary_hex(4, "000102030405060708090A0B0C0D0E0F"), "5A1004000102030405060708090A0B0C0D0E0F", ""},
      {binary(0, std::string(254, '\xAB')), "5AFE00" + repeated("AB", 254), ""},
      {binary(0, std::string(255, '\xAB')), "5AFF000000FF00" + repeated("AB", 255), ""},
      {Value::boolean(true), "6F", ""},
      {Value::boolean(false), "6E", ""},
      {Value::null(), "14", ""},
      {Value::date(0), "788000000000000000", ""},
      {Value::date(1704067200000), "788000018CC251F400", ""},
      {Value::date(-1), "787FFFFFFFFFFFFFFF", ""},
      {Value::object_id({{0x50, 0x7f, 0x1f, 0x77, 0xbc, 0xf8, 0x6c, 0xd7, 0x99, 0x43, 0x90, 0x11}}),
       "64507F1F77BCF86CD799439011", ""},
      {Value::timestamp({1, 2}), "820000000100000002", ""},
      {Value::min_key(), "0A", ""},
      {Value::max_key(), "F0", ""},
      {object([](DocumentBuilder&) {}), "4600", ""},
      {object([](DocumentBuilder& b) { b.append_int32("a", 1).append_string("b", "x"); }), "461E61002B023C62003C780000",
       ""},
      {object([](DocumentBuilder& b) { b.append_int64("a", 1); }), "461E61002B0200", "8180"},
      {object([](DocumentBuilder& b) { b.begin_document("a").append_null("b").end().append_bool("c", true); }),
       "464661004614620014006E63006F00", ""},
      {object([](DocumentBuilder& b) { b.begin_array("a").item(Value::int32(1)).item(Value::number(2)).end(); }),
       "46506100502B022B040000", "820001"},
      {Value::code("f()"), "A066282900", ""},
      {code_with_scope("f()", int_field.view().as_document()), "AA662829001E78002B0200", ""},
      // Not possible as _id: the forms alone.
      {Value::regex("a.b", "im"), "8C612E6200696D00", ""},
      {Value::symbol("a"), "3C6100", "40"},
      {ValueView(Type::Undefined, {}), "0F", ""},
  };
}

std::vector<Vector> all_vectors() {
  std::vector<Vector> all;
  for (auto part : {integer_vectors(), double_vectors(), decimal_vectors(), other_vectors()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(KeyString, EncodesEveryVectorAsMongod) {
  for (const Vector& vector : all_vectors()) {
    const KeyString key = KeyStringBuilder().append(vector.value).finish();
    EXPECT_EQ(to_hex(bytes_of(key.bytes)), vector.hex + "04");
  }
}

TEST(KeyString, DecodesEveryVectorToTheSameValue) {
  for (const Vector& vector : all_vectors()) {
    const KeyString key = KeyStringBuilder().append(vector.value).finish();
    KeyStringReader reader(bytes_of(key.bytes), key.type_bits);
    const std::optional<Value> value = reader.next();
    ASSERT_TRUE(value.has_value()) << vector.hex;
    EXPECT_TRUE(value->view().identical(vector.value)) << vector.hex;
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST(KeyString, GivesTokensTheTypeBitsOfMongod) {
  for (const Vector& vector : all_vectors()) {
    ResumeToken token;
    token.kind = ResumeToken::Kind::Event;
    token.uuid = Uuid{};
    token.event_identifier = object([&](DocumentBuilder& b) { b.append("_id", vector.value); });
    const Document encoded = encode(token);
    const std::string hex = encoded.has("_typeBits") ? to_hex(encoded["_typeBits"].as_binary().bytes) : "";
    EXPECT_EQ(hex, vector.token_type_bits) << vector.hex;
  }
}

TEST(KeyString, OrdersBytesAsValues) {
  const std::vector<Vector> vectors = all_vectors();
  for (const Vector& left : vectors)
    for (const Vector& right : vectors) {
      std::string left_bytes;
      std::string right_bytes;
      append_key_string(left_bytes, left.value);
      append_key_string(right_bytes, right.value);
      EXPECT_TRUE(compare_values(left.value, right.value) == (left_bytes.compare(right_bytes) <=> 0))
          << left.hex << " against " << right.hex;
    }
}

TEST(KeyString, EscapesNulInsideNestedText) {
  const Value value = object([](DocumentBuilder& b) { b.append_string("a", std::string_view("\0\0x", 3)); });
  const KeyString key = KeyStringBuilder().append(value).finish();
  EXPECT_EQ(to_hex(bytes_of(key.bytes)),
            "463C61003C00FF00FF780000"
            "04");
  EXPECT_TRUE(KeyStringReader(bytes_of(key.bytes)).next().value().view().identical(value));
}

TEST(KeyString, ReadsWithoutTypeBitsAsIntAndString) {
  const std::string bytes = from_hex("2B0A32FFFFFFFFFFFFFFFE3C610004").value();
  KeyStringReader reader(bytes_of(bytes));
  EXPECT_TRUE(reader.next()->view().identical(Value::int32(5)));
  EXPECT_TRUE(reader.next()->view().identical(Value::int64(std::numeric_limits<std::int64_t>::max())));
  EXPECT_TRUE(reader.next()->view().identical(Value::string("a")));
  EXPECT_FALSE(reader.next().has_value());
}

struct Broken {
  const char* hex;
  const char* type_bits_hex;
  int code;
  const char* text;
};

TEST(KeyString, NamesWhatIsWrongAsMongod) {
  const Broken cases[] = {
      {"00", "", 50811, "KeyString format error: Unknown type: 0"},
      {"FF", "", 50811, "KeyString format error: Unknown type: 255"},
      {"82", "", 15, "Invalid advance (8) past end of buffer[0] at offset: 0"},
      {"8200000001", "", 15, "Invalid advance (8) past end of buffer[4] at offset: 0"},
      {"46", "", 15, "Invalid advance (1) past end of buffer[0] at offset: 0"},
      {"461E61", "", 50816, "KeyString format error: Failed to find null terminator in string."},
      {"3C6100FF", "", 50816, "KeyString format error: Failed to find null terminator in string."},
      {"5AFF000000", "", 15, "Invalid advance (4) past end of buffer[3] at offset: 0"},
      {"5AFFFFFFFFFF00", "", 15, "Invalid advance (4294967295) past end of buffer[0] at offset: 0"},
      {"64", "", 15, "Invalid advance (12) past end of buffer[0] at offset: 0"},
      {"9600000005", "", 15, "Invalid advance (5) past end of buffer[0] at offset: 0"},
      {"2C01", "", 15, "Invalid advance (1) past end of buffer[0] at offset: 0"},
      {"2B0380000000000000", "", 50810, "KeyString format error: Expected type Decimal."},
      {"1E", "", 50819, "KeyString format error: Invalid type bits for numeric NaN"},
      {"2AFEE6666666666668", "", 50825, "KeyString format error: Unexpected type for small number, expected decimal."},
      {"2AFEE6666666666666", "01", 50824, "KeyString format error: Decimal contuation mismatch."},
      {"2A5F24D116E1CC561F1639B8193FD88016", "01", 50822, "KeyString format error: Unexpected decimal continuation."},
      {"2A59A0000000000000", "", 50823, "KeyString format error: Expected decimal continuation."},
      {"2A00000000000000000000000000000000", "01", 50829,
       "KeyString format error: Expected non-zero number for decimal."},
      {"337C6FC8791000EB38", "", 50826, "KeyString format error: Unexpected type of large number."},
      {"337C6FC8791000EB38", "02", 50821, "KeyString format error: Unexpected value for large number."},
      {"33B31E314DC6448D9338C15B0A00000000", "01", 50818,
       "KeyString format error: Invalid type bits for decimal number."},
      {"29", "1B", 50615, "KeyString format error: Invalid size byte(s)."},
      {"32FFFFFFFFFFFFFFFE", "820300", 50830, "KeyString format error: Unexpected biased exponent in decimal."},
  };
  for (const Broken& broken : cases) {
    const std::string bytes = from_hex(broken.hex).value();
    const std::string bits = from_hex(broken.type_bits_hex).value();
    try {
      const TypeBits type_bits = TypeBits::parse(bytes_of(bits));
      KeyStringReader reader(bytes_of(bytes), type_bits);
      reader.next();
      ADD_FAILURE() << broken.hex << " was read";
    } catch (const FormatError& error) {
      EXPECT_EQ(error.code(), broken.code) << broken.hex;
      EXPECT_STREQ(error.what(), broken.text) << broken.hex;
    }
  }
}

TEST(KeyString, ReadsTwoHundredLevelsAndNoMore) {
  const auto nested = [](int levels) { return repeated("464600", levels - 1) + "46" + repeated("00", levels); };
  const std::string deepest = from_hex(nested(200)).value();
  EXPECT_TRUE(KeyStringReader(bytes_of(deepest)).next().has_value());
  const std::string too_deep = from_hex(nested(201)).value();
  EXPECT_THROW(KeyStringReader(bytes_of(too_deep)).next(), FormatError);
}

TEST(KeyString, WritesSimpleKeysAsTheEncoderDoes) {
  const auto key = [](ValueView id) { return object([&](DocumentBuilder& b) { b.append("_id", id); }); };
  std::vector<Value> ids{Value::string(""), Value::string("abc"), Value::object_id({{1, 2, 3}})};
  for (int shift = 0; shift < 31; ++shift)
    for (const int value : {1 << shift, (1 << shift) - 1, -(1 << shift), -(1 << shift) - 1})
      ids.push_back(Value::int32(value));
  for (int shift = 0; shift < 63; ++shift)
    for (const std::int64_t value :
         {std::int64_t{1} << shift, (std::int64_t{1} << shift) - 1, -(std::int64_t{1} << shift)})
      ids.push_back(Value::int64(value));
  ids.push_back(Value::int32(std::numeric_limits<std::int32_t>::max()));
  ids.push_back(Value::int32(std::numeric_limits<std::int32_t>::min()));
  ids.push_back(Value::int64(std::numeric_limits<std::int64_t>::max()));
  for (const Value& id : ids) {
    const Value document = key(id);
    std::string expected;
    append_key_string(expected, document);
    const SimpleKey simple = simple_key(document.view().as_document());
    ASSERT_TRUE(simple);
    std::vector<std::uint8_t> written(simple.encoded_bytes);
    ASSERT_EQ(written.size(), expected.size()) << to_hex(bytes_of(expected));
    EXPECT_EQ(write_simple_key(written.data(), simple), written.data() + written.size());
    EXPECT_EQ(to_hex(written), to_hex(bytes_of(expected)));
    EXPECT_EQ(simple.has_type_bits(), !type_bits_are_zero(document));
  }
  for (const Value& id : {Value::number(1), Value::int64(std::numeric_limits<std::int64_t>::min()),
                          Value::string(std::string_view("\0", 1)), Value::null()})
    EXPECT_FALSE(simple_key(key(id).view().as_document()));
  EXPECT_FALSE(simple_key(Document()));
}

}  // namespace
}  // namespace wire
