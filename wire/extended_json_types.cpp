#include "wire/extended_json_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "wire/base64.h"
#include "wire/civil_time.h"
#include "wire/decimal.h"
#include "wire/hex.h"

namespace wire {
namespace {

constexpr std::array<std::string_view, 16> type_keys{
    "$binary",
    "$code",
    "$date",
    "$dbPointer",
    "$maxKey",
    "$minKey",
    "$numberDecimal",
    "$numberDouble",
    "$numberInt",
    "$numberLong",
    "$oid",
    "$symbol",
    "$regularExpression",
    "$timestamp",
    "$undefined",
    "$uuid",
};

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes `count` digits from the front.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count || !std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count),
                                          [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  const auto value = number_of<int>(text.substr(0, count));
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// ".123" with one digit or more; what is finer than a millisecond is cut.
std::optional<int> take_fraction_ms(std::string_view& text) {
  if (!take(text, '.')) return 0;
  int ms = 0;
  std::size_t digits = 0;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), ++digits)
    if (digits < 3) ms = ms * 10 + (text[0] - '0');
  if (digits == 0) return std::nullopt;
  for (; digits < 3; ++digits) ms *= 10;
  return ms;
}

// "Z", "+02:00", "+0200" or "+02", in minutes.
std::optional<int> take_offset(std::string_view& text) {
  if (take(text, 'Z')) return 0;
  const bool west = text.starts_with('-');
  if (!take(text, '+') && !take(text, '-')) return std::nullopt;
  const auto hours = take_digits(text, 2);
  std::optional<int> minutes = 0;
  if (take(text, ':') || !text.empty()) minutes = take_digits(text, 2);
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  const int offset = *hours * 60 + *minutes;
  return west ? -offset : offset;
}

// "2024-01-31T23:59:59.999Z"
std::optional<std::int64_t> date_of(std::string_view text) {
  const auto year = take_digits(text, 4);
  const bool first = take(text, '-');
  const auto month = take_digits(text, 2);
  const bool second = take(text, '-');
  const auto day = take_digits(text, 2);
  const bool time_follows = take(text, 'T');
  const auto hour = take_digits(text, 2);
  const bool third = take(text, ':');
  const auto minute = take_digits(text, 2);
  if (!year || !first || !month || !second || !day || !time_follows || !hour || !third || !minute) return std::nullopt;
  std::optional<int> seconds = 0;
  if (take(text, ':')) seconds = take_digits(text, 2);
  const auto ms = take_fraction_ms(text);
  const auto offset = take_offset(text);
  if (!seconds || !ms || !offset || !text.empty() || *hour > 23 || *minute > 59 || *seconds > 59) return std::nullopt;
  const CivilTime time{*year, static_cast<unsigned>(*month), static_cast<unsigned>(*day), *hour, *minute, *seconds,
                       *ms};
  if (!is_date(time)) return std::nullopt;
  return milliseconds_of(time) - std::int64_t{*offset} * 60'000;
}

// A type's value in a string: bytes of BSON that Value has no maker for.
Value raw_value(Type type, const std::string& bytes) { return ValueView(type, bytes_of(bytes)); }

void append_length(std::string& out, std::size_t length) {
  const auto value = static_cast<std::uint32_t>(length);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

bool is_type_key(std::string_view key) {
  return key.starts_with('$') && std::find(type_keys.begin(), type_keys.end(), key) != type_keys.end();
}

Value JsonTypeReader::value(std::string_view key) {
  scanner_.expect(':');
  scanner_.skip_space();
  start_ = scanner_.at();
  Value value = plain_form(key);
  if (scanner_.peek() == ',') scanner_.fail(fmt::format("nothing may follow in an object with \"{}\"", key));
  scanner_.expect('}');
  return value;
}

Value JsonTypeReader::plain_form(std::string_view key) {
  if (key == "$oid") return object_id();
  if (key == "$numberInt") return number_int();
  if (key == "$numberLong") return number_long();
  if (key == "$numberDouble") return number_double();
  if (key == "$numberDecimal") return number_decimal();
  if (key == "$date") return date();
  if (key == "$binary") return binary();
  if (key == "$uuid") return uuid();
  if (key == "$timestamp") return timestamp();
  if (key == "$regularExpression") return regular_expression();
  if (key == "$code") return code();
  if (key == "$symbol") return Value::symbol(text());
  if (key == "$dbPointer") return db_pointer();
  if (key == "$undefined") {
    if (!scanner_.accept_word("true")) fail("\"$undefined\" is true");
    return ValueView(Type::Undefined, {});
  }
  if (uint32(key) != 1) fail(fmt::format("\"{}\" is 1", key));
  return key == "$minKey" ? Value::min_key() : Value::max_key();
}

std::string JsonTypeReader::text() {
  scanner_.skip_space();
  start_ = scanner_.at();
  return scanner_.string();
}

void JsonTypeReader::expect_key(std::string_view key) {
  scanner_.skip_space();
  start_ = scanner_.at();
  if (scanner_.string() != key) fail(fmt::format("expected \"{}\"", key));
  scanner_.expect(':');
}

void JsonTypeReader::pair(std::string_view first, std::string_view second, const std::function<void(Member)>& read) {
  std::optional<Member> seen;
  for (int field = 0; field < 2; ++field) {
    if (field == 1) scanner_.expect(',');
    const std::string key = text();
    const Member member = key == first ? Member::First : Member::Second;
    if ((key != first && key != second) || member == seen)
      fail(fmt::format("expected \"{}\" and \"{}\"", first, second));
    seen = member;
    scanner_.expect(':');
    read(member);
  }
  scanner_.expect('}');
}

std::int64_t JsonTypeReader::integer_text(std::string_view what) {
  const auto value = number_of<std::int64_t>(text());
  if (!value) fail(fmt::format("\"{}\" is not a whole number of its range", what));
  return *value;
}

std::uint32_t JsonTypeReader::uint32(std::string_view what) {
  scanner_.skip_space();
  start_ = scanner_.at();
  const Value value = scanner_.number();
  const std::int64_t number = value.view().is(Type::Int32)   ? value.view().as_int32()
                              : value.view().is(Type::Int64) ? value.view().as_int64()
                                                             : -1;
  if (number < 0 || number > std::numeric_limits<std::uint32_t>::max())
    fail(fmt::format("\"{}\" is a whole number from 0 to 4294967295", what));
  return static_cast<std::uint32_t>(number);
}

Value JsonTypeReader::object_id() {
  const auto bytes = from_hex(text());
  ObjectId id;
  if (!bytes || bytes->size() != id.bytes.size()) fail("\"$oid\" is 24 hexadecimal digits");
  std::copy(bytes->begin(), bytes->end(), id.bytes.begin());
  return Value::object_id(id);
}

Value JsonTypeReader::number_int() {
  const std::int64_t value = integer_text("$numberInt");
  if (value != static_cast<std::int32_t>(value)) fail("\"$numberInt\" is not a whole number of its range");
  return Value::int32(static_cast<std::int32_t>(value));
}

Value JsonTypeReader::number_long() { return Value::int64(integer_text("$numberLong")); }

Value JsonTypeReader::number_double() {
  const std::string digits = text();
  if (digits == "NaN") return Value::number(std::numeric_limits<double>::quiet_NaN());
  if (digits == "Infinity") return Value::number(std::numeric_limits<double>::infinity());
  if (digits == "-Infinity") return Value::number(-std::numeric_limits<double>::infinity());
  const auto value = number_of<double>(digits);
  if (!value || !std::isfinite(*value)) fail("\"$numberDouble\" is not a double");
  return Value::number(*value);
}

Value JsonTypeReader::number_decimal() {
  const auto value = decimal_from_string(text());
  if (!value) fail("\"$numberDecimal\" is not a decimal");
  return Value::decimal(*value);
}

Value JsonTypeReader::date() {
  if (scanner_.peek() == '"') {
    const auto ms = date_of(text());
    if (!ms) fail("\"$date\" is not a date such as 2024-01-31T23:59:59.999Z");
    return Value::date(*ms);
  }
  if (scanner_.accept('{')) {
    expect_key("$numberLong");
    const std::int64_t ms = integer_text("$numberLong");
    scanner_.expect('}');
    return Value::date(ms);
  }
  const Value ms = scanner_.number();
  if (ms.view().is(Type::Double)) fail("\"$date\" is a whole number of milliseconds");
  return Value::date(ms.view().is(Type::Int32) ? ms.view().as_int32() : ms.view().as_int64());
}

Value JsonTypeReader::binary() {
  std::string base64;
  std::string subtype_hex;
  std::size_t base64_at = start_;
  if (scanner_.accept('{')) {
    pair("base64", "subType", [&](Member member) {
      (member == Member::First ? base64 : subtype_hex) = text();
      if (member == Member::First) base64_at = start_;
    });
  } else {
    base64 = text();
    scanner_.expect(',');
    expect_key("$type");
    subtype_hex = text();
  }
  unsigned subtype = 0;
  const auto [end, error] = std::from_chars(subtype_hex.data(), subtype_hex.data() + subtype_hex.size(), subtype, 16);
  if (error != std::errc() || end != subtype_hex.data() + subtype_hex.size() || subtype > 0xFF)
    fail("the subtype is one or two hexadecimal digits");
  auto bytes = from_base64(base64);
  if (!bytes) scanner_.fail_at(base64_at, "invalid base64");
  // BSON repeats the length inside values of the old subtype; JSON leaves it out.
  if (subtype == 2) {
    std::string inner;
    append_length(inner, bytes->size());
    bytes->insert(0, inner);
  }
  return Value::binary(static_cast<std::uint8_t>(subtype), bytes_of(*bytes));
}

Value JsonTypeReader::uuid() {
  std::string digits = text();
  constexpr std::array<std::size_t, 4> dashes{8, 13, 18, 23};
  constexpr std::size_t dashed_size = 36;
  bool well_formed = digits.size() == dashed_size;
  for (const std::size_t at : dashes) well_formed = well_formed && digits[at] == '-';
  std::erase(digits, '-');
  const auto bytes = from_hex(digits);
  if (!well_formed || !bytes || bytes->size() != 16)
    fail("\"$uuid\" is not a UUID such as 00112233-4455-6677-8899-aabbccddeeff");
  return Value::binary(4, bytes_of(*bytes));
}

Value JsonTypeReader::timestamp() {
  scanner_.expect('{');
  Timestamp value;
  pair("t", "i", [&](Member member) {
    if (member == Member::First)
      value.seconds = uint32("t");
    else
      value.increment = uint32("i");
  });
  return Value::timestamp(value);
}

Value JsonTypeReader::regular_expression() {
  scanner_.expect('{');
  std::string pattern;
  std::string options;
  pair("pattern", "options", [&](Member member) {
    std::string& part = member == Member::First ? pattern : options;
    part = text();
    if (part.find('\0') != std::string::npos) fail("a regular expression cannot hold U+0000");
  });
  // BSON keeps the options in alphabetical order.
  std::sort(options.begin(), options.end());
  return Value::regex(pattern, options);
}

Value JsonTypeReader::code() {
  const std::string code = text();
  if (!scanner_.accept(',')) return Value::code(code);
  expect_key("$scope");
  const Document scope = documents_.document();
  std::string bytes;
  append_length(bytes, 4 + 4 + code.size() + 1 + scope.size());
  append_length(bytes, code.size() + 1);
  bytes.append(code).append(1, '\0').append(reinterpret_cast<const char*>(scope.view().data()), scope.size());
  return raw_value(Type::JavaScriptWithScope, bytes);
}

Value JsonTypeReader::db_pointer() {
  scanner_.expect('{');
  expect_key("$ref");
  const std::string ns = text();
  scanner_.expect(',');
  expect_key("$id");
  scanner_.expect('{');
  expect_key("$oid");
  const Value id = object_id();
  scanner_.expect('}');
  scanner_.expect('}');
  std::string bytes;
  append_length(bytes, ns.size() + 1);
  bytes.append(ns).append(1, '\0').append(reinterpret_cast<const char*>(id.view().bytes().data()),
                                          id.view().bytes().size());
  return raw_value(Type::DbPointer, bytes);
}

}  // namespace wire
