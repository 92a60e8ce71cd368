#include "emulator/conversion.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "emulator/command_error.h"
#include "emulator/date_parts.h"
#include "emulator/expression.h"
#include "emulator/facts/expression_facts.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

[[noreturn]] void fail(const std::string& text) { throw CommandError(241, text); }

[[noreturn]] void unsupported(ValueView value, Type to) {
  fail(fmt::format("Unsupported conversion from {} to {} in $convert with no onError value",
                   wire::type_name(value.type()), wire::type_name(to)));
}

[[noreturn]] void overflow(ValueView value) {
  // mongod leaves the number out when it is a long.
  fail(fmt::format("Conversion would overflow target type in $convert with no onError value: {}",
                   value.is(Type::Int64) ? std::string() : expression_text(value)));
}

[[noreturn]] void unparsed(std::string_view text, std::string_view why) {
  fail(fmt::format("Failed to parse number '{}' in $convert with no onError value: {}", text, why));
}

void refuse_hexadecimal(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X"))
    fail(fmt::format("Illegal hexadecimal input in $convert with no onError value: {}", text));
}

[[noreturn]] void not_whole(std::string_view text, std::string_view digits, Wording wording) {
  if (wording > Wording::V4_2) unparsed(text, "Did not consume whole string.");
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  const std::size_t at = std::min(digits.find_first_not_of("0123456789", sign), digits.size() - 1);
  unparsed(text, fmt::format("Bad digit \"{}\" while parsing {}", digits[at], text));
}

std::int64_t integer_from_text(std::string_view text, std::int64_t min, std::int64_t max, Wording wording) {
  refuse_hexadecimal(text);
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || digits == "-") unparsed(text, "No digits");
  std::int64_t number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (result.ec == std::errc::result_out_of_range) unparsed(text, "Overflow");
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) not_whole(text, digits, wording);
  if (number < min || number > max) unparsed(text, "Overflow");
  return number;
}

double double_from_text(std::string_view text, Wording wording) {
  refuse_hexadecimal(text);
  if (text.empty()) unparsed(text, "Empty string");
  if (text.front() == ' ') unparsed(text, "Leading whitespace");
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double number = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (result.ec == std::errc::result_out_of_range) unparsed(text, "Out of range");
  const bool is_whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  if (!is_whole && wording <= Wording::V4_2) unparsed(text, "Did not consume whole number.");
  if (result.ec == std::errc::invalid_argument) unparsed(text, "Did not consume any digits");
  if (!is_whole) unparsed(text, "Did not consume whole string.");
  return number;
}

std::int64_t truncated(ValueView value, std::int64_t min, std::int64_t max) {
  if (is_nan_number(value)) fail("Attempt to convert NaN value to integer type in $convert with no onError value");
  std::optional<std::int64_t> number;
  if (value.is(Type::Decimal128)) {
    if (wire::is_infinite(value.as_decimal()))
      fail("Attempt to convert infinity value to integer type in $convert with no onError value");
    number = wire::decimal_to_int64(value.as_decimal());
  } else if (value.is(Type::Double)) {
    if (std::isinf(value.as_double()))
      fail("Attempt to convert infinity value to integer type in $convert with no onError value");
    if (fits_int64(value.as_double())) number = static_cast<std::int64_t>(value.as_double());
  } else {
    number = exact_int64(value);
  }
  if (!number || *number < min || *number > max) overflow(value);
  return *number;
}

std::int64_t to_integer(ValueView value, Type to, Wording wording) {
  const bool is_int = to == Type::Int32;
  const std::int64_t min = is_int ? std::numeric_limits<std::int32_t>::min() : std::numeric_limits<std::int64_t>::min();
  const std::int64_t max = is_int ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::int64_t>::max();
  switch (value.type()) {
    case Type::Bool:
      return value.as_bool() ? 1 : 0;
    case Type::String:
      return integer_from_text(value.as_string(), min, max, wording);
    case Type::DateTime:
      if (is_int) unsupported(value, to);
      return value.as_date_ms();
    default:
      if (!value.is_number()) unsupported(value, to);
      return truncated(value, min, max);
  }
}

// A decimal that is too large for a double, or so small that it would lose digits.
bool leaves_double(ValueView value) {
  if (!value.is(Type::Decimal128) || is_zero_number(value)) return false;
  if (wire::is_nan(value.as_decimal()) || wire::is_infinite(value.as_decimal())) return false;
  const double number = std::abs(to_double(value));
  return std::isinf(number) || number < std::numeric_limits<double>::min();
}

Value to_double_value(ValueView value, Wording wording) {
  switch (value.type()) {
    case Type::Bool:
      return Value::number(value.as_bool() ? 1 : 0);
    case Type::DateTime:
      return Value::number(static_cast<double>(value.as_date_ms()));
    case Type::String:
      return Value::number(double_from_text(value.as_string(), wording));
    default:
      if (!value.is_number()) unsupported(value, Type::Double);
      if (leaves_double(value)) overflow(value);
      return Value::number(to_double(value));
  }
}

Value to_decimal_value(ValueView value) {
  switch (value.type()) {
    case Type::Bool:
      return Value::decimal(wire::decimal_from_int64(value.as_bool() ? 1 : 0));
    case Type::DateTime:
      return Value::decimal(wire::decimal_from_int64(value.as_date_ms()));
    case Type::String:
      refuse_hexadecimal(value.as_string());
      if (const auto decimal = wire::decimal_from_string(value.as_string())) return Value::decimal(*decimal);
      unparsed(value.as_string(), value.as_string().empty() ? "Empty string" : "Failed to parse string to decimal");
    default:
      if (!value.is_number()) unsupported(value, Type::Decimal128);
      return Value::decimal(to_decimal(value));
  }
}

std::string shortest_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

Value to_string_value(ValueView value, const Profile& profile) {
  switch (value.type()) {
    case Type::String:
      return value;
    case Type::Double:
      if (std::isnan(value.as_double())) return Value::string("NaN");
      if (std::isinf(value.as_double())) return Value::string(value.as_double() > 0 ? "Infinity" : "-Infinity");
      if (profile.expressions.double_text == ExpressionFacts::DoubleText::Shortest)
        return Value::string(shortest_text(value.as_double()));
      return Value::string(expression_text(value));
    case Type::Bool:
    case Type::Int32:
    case Type::Int64:
    case Type::Decimal128:
    case Type::ObjectId:
      return Value::string(expression_text(value));
    case Type::DateTime:
      return Value::string(date_string(value.as_date_ms()));
    default:
      unsupported(value, Type::String);
  }
}

Value to_date_value(ValueView value) {
  switch (value.type()) {
    case Type::DateTime:
      return value;
    case Type::ObjectId: {
      const wire::ObjectId id = value.as_object_id();
      std::uint32_t seconds = 0;
      for (std::size_t i = 0; i < 4; ++i) seconds = (seconds << 8) | id.bytes[i];
      return Value::date(std::int64_t{seconds} * 1000);
    }
    case Type::Timestamp:
      return Value::date(std::int64_t{value.as_timestamp().seconds} * 1000);
    case Type::String:
      if (const auto ms = parse_date(value.as_string())) return Value::date(*ms);
      fail(fmt::format("Error parsing date string '{}'", value.as_string()));
    case Type::Int64:
    case Type::Double:
    case Type::Decimal128:
      return Value::date(
          truncated(value, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()));
    default:
      unsupported(value, Type::DateTime);
  }
}

Value to_object_id_value(ValueView value) {
  if (value.is(Type::ObjectId)) return value;
  if (!value.is(Type::String)) unsupported(value, Type::ObjectId);
  const std::string_view text = value.as_string();
  if (text.size() != 24)
    fail(
        fmt::format("Failed to parse objectId '{}' in $convert with no onError value: Invalid string length for "
                    "parsing to OID, expected "
                    "24 but found {}",
                    text, text.size()));
  wire::ObjectId id;
  for (std::size_t i = 0; i < 12; ++i) {
    const std::string_view pair = text.substr(2 * i, 2);
    const auto result = std::from_chars(pair.data(), pair.data() + 2, id.bytes[i], 16);
    if (result.ec != std::errc() || result.ptr != pair.data() + 2)
      fail(fmt::format(
          "Failed to parse objectId '{}' in $convert with no onError value: Invalid character found in hex string",
          text));
  }
  return Value::object_id(id);
}

// Digits of a fixed or free number at the front of the text.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  int number = 0;
  if (text.size() < digits) return std::nullopt;
  const auto result = std::from_chars(text.data(), text.data() + digits, number);
  if (result.ec != std::errc() || result.ptr != text.data() + digits || text[0] == '-') return std::nullopt;
  text.remove_prefix(digits);
  return number;
}

bool take(std::string_view& text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

// Milliseconds of "T01:02:03.123" from midnight; nullopt: no time of day.
std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ":")) return std::nullopt;
  const auto minute = take_number(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  std::int64_t ms = (*hour * 60 + *minute) * 60'000;
  if (!take(text, ":")) return ms;
  const auto second = take_number(text, 2);
  if (!second || *second > 59) return std::nullopt;
  ms += *second * 1000;
  if (!take(text, ".")) return ms;
  int scale = 100;
  bool any = false;
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), scale /= 10, any = true)
    ms += (text[0] - '0') * scale;
  return any ? std::optional(ms) : std::nullopt;
}

std::optional<std::int64_t> take_zone(std::string_view& text) {
  if (text.empty() || take(text, "Z")) return 0;
  const bool negative = text.starts_with('-');
  if (!take(text, "+") && !take(text, "-")) return std::nullopt;
  const auto hours = take_number(text, 2);
  if (!hours) return std::nullopt;
  take(text, ":");
  const int minutes = text.empty() ? 0 : take_number(text, 2).value_or(-1);
  if (minutes < 0) return std::nullopt;
  const std::int64_t offset = (*hours * 60 + minutes) * 60'000;
  return negative ? -offset : offset;
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) {
  using namespace std::chrono;
  const auto year_number = take_number(text, 4);
  if (!year_number || !take(text, "-")) return std::nullopt;
  const auto month_number = take_number(text, 2);
  if (!month_number || !take(text, "-")) return std::nullopt;
  const auto day_number = take_number(text, 2);
  if (!day_number) return std::nullopt;
  const year_month_day date{year(*year_number), month(static_cast<unsigned>(*month_number)),
                            day(static_cast<unsigned>(*day_number))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t midnight = duration_cast<milliseconds>(sys_days(date).time_since_epoch()).count();
  if (text.empty()) return midnight;
  if (!take(text, "T") && !take(text, " ")) return std::nullopt;
  const auto time = take_time(text);
  if (!time) return std::nullopt;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return midnight + *time - *zone;
}

std::int64_t coerced_long(ValueView number) {
  if (is_integral_type(number.type())) return *exact_int64(number);
  if (number.is(Type::Decimal128))
    return wire::decimal_to_int64(number.as_decimal(), wire::Rounding::TiesToEven)
        .value_or(std::numeric_limits<std::int64_t>::min());
  if (!fits_int64(number.as_double()))
    throw CommandError(31109, fmt::format("Can't coerce out of range value {} to long", expression_text(number)));
  return static_cast<std::int64_t>(number.as_double());
}

Value convert_to_date(ValueView value) { return to_date_value(value); }

Value convert(ValueView value, Type to, const Profile& profile) {
  switch (to) {
    case Type::Int32:
      return Value::int32(static_cast<std::int32_t>(to_integer(value, to, profile.wording)));
    case Type::Int64:
      return Value::int64(to_integer(value, to, profile.wording));
    case Type::Double:
      return to_double_value(value, profile.wording);
    case Type::Decimal128:
      return to_decimal_value(value);
    case Type::Bool:
      return Value::boolean(is_true(value));
    case Type::String:
      return to_string_value(value, profile);
    case Type::DateTime:
      return to_date_value(value);
    case Type::ObjectId:
      return to_object_id_value(value);
    default:
      unsupported(value, to);
  }
}

}  // namespace emulator
