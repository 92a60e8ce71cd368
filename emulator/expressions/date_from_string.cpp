// $dateFromString: ISO 8601 texts, or those of a format.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "emulator/conversion.h"
#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

constexpr int conversion_failure = 241;

// What a format took from a text.
struct Read {
  std::optional<int> year, month, day, iso_year, iso_week, iso_day;
  int hour = 0, minute = 0, second = 0, millisecond = 0;
  std::optional<std::int64_t> offset_ms;
};

struct PartFormat {
  char character;
  std::size_t digits_max;
  int low;
  int high;
};
constexpr PartFormat part_formats[] = {{'Y', 4, 0, 9999}, {'m', 2, 1, 12}, {'d', 2, 1, 31},  {'H', 2, 0, 24},
                                       {'M', 2, 0, 59},   {'S', 2, 0, 59}, {'L', 3, 0, 999}, {'G', 4, 0, 9999},
                                       {'V', 2, 1, 53},   {'u', 1, 1, 7}};

bool is_format_character(char character) {
  return character == '%' || character == 'z' || character == 'Z' ||
         std::ranges::find(part_formats, character, &PartFormat::character) != std::end(part_formats);
}

// What was found at a place of a text; NUL is what mongod finds at its end.
std::string complaint(std::string_view text, std::size_t where, std::string_view why) {
  return fmt::format("{}: {} '{}'", where, why, where < text.size() ? text[where] : '\0');
}

[[noreturn]] void fail_parse(std::string_view text, std::string_view why) {
  throw CommandError(conversion_failure, fmt::format("Error parsing date string '{}'; {}", text, why));
}

void store(Read& read, char character, int number) {
  switch (character) {
    case 'Y':
      read.year = number;
      break;
    case 'm':
      read.month = number;
      break;
    case 'd':
      read.day = number;
      break;
    case 'H':
      read.hour = number;
      break;
    case 'M':
      read.minute = number;
      break;
    case 'S':
      read.second = number;
      break;
    case 'L':
      read.millisecond = number;
      break;
    case 'G':
      read.iso_year = number;
      break;
    case 'V':
      read.iso_week = number;
      break;
    default:
      read.iso_day = number;
  }
}

class FormatReader {
 public:
  // The format has been checked.
  FormatReader(std::string_view text, std::string_view format) : text_(text), rest_(text), format_(format) {}

  Read read() {
    for (std::size_t i = 0; i < format_.size(); ++i) {
      if (format_[i] != '%') {
        take_literal(format_[i]);
        continue;
      }
      take_part(format_[++i]);
    }
    if (!rest_.empty()) fail(at(), "Trailing data");
    if (!mismatches_.empty()) fail_parse(text_, mismatches_.substr(0, mismatches_.size() - 2));
    return read_;
  }

 private:
  std::size_t at() const { return text_.size() - rest_.size(); }
  [[noreturn]] void fail(std::size_t where, std::string_view why) const {
    fail_parse(text_, mismatches_ + complaint(text_, where, why));
  }
  // Another character in its place is complained of, and stands for it.
  void take_literal(char wanted) {
    constexpr std::string_view why = "Format literal not found";
    if (rest_.empty()) fail(at(), why);
    if (rest_.front() != wanted) mismatches_ += complaint(text_, at(), why) + "; ";
    rest_.remove_prefix(1);
  }
  void take_part(char character) {
    if (character == '%') return take_literal('%');
    if (character == 'z' || character == 'Z') return take_offset(character);
    take_number(*std::ranges::find(part_formats, character, &PartFormat::character));
  }
  void take_number(const PartFormat& format) {
    int number = 0;
    const std::size_t most = std::min(format.digits_max, rest_.size());
    const auto result = std::from_chars(rest_.data(), rest_.data() + most, number);
    if (result.ec != std::errc() || number < format.low || number > format.high)
      fail(at(), "A number of this part of the date could not be found");
    rest_.remove_prefix(static_cast<std::size_t>(result.ptr - rest_.data()));
    store(read_, format.character, number);
  }
  // +hhmm, or minutes.
  void take_offset(char character) {
    const std::size_t end = std::min(rest_.find_first_of(" ,/"), rest_.size());
    const std::string_view zone = rest_.substr(0, end);
    if (character == 'z') {
      try {
        read_.offset_ms = zone_offset_ms(zone);
      } catch (const CommandError&) {
        fail(at(), "The timezone could not be found in the database");
      }
    } else {
      int minutes = 0;
      const std::string_view digits = zone.starts_with('+') ? zone.substr(1) : zone;
      const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), minutes);
      if (result.ec != std::errc()) fail(at(), "A timezone offset in minutes could not be found");
      read_.offset_ms = minutes * std::int64_t{60'000};
    }
    rest_.remove_prefix(end);
  }

  std::string_view text_;
  std::string_view rest_;
  std::string_view format_;
  std::string mismatches_;
  Read read_;
};

// What is read at offset 0; the offset is taken off by the caller.
struct LocalTime {
  std::int64_t ms = 0;
  std::optional<std::int64_t> offset_ms;
};

constexpr std::string_view invalid_date = "The parsed date was invalid";

LocalTime by_format(std::string_view text, std::string_view format) {
  const Read read = FormatReader(text, format).read();
  const std::int64_t of_day =
      ((std::int64_t{read.hour} * 60 + read.minute) * 60 + read.second) * 1000 + read.millisecond;
  if (read.iso_year && read.iso_week && read.iso_day) {
    const std::int64_t day = iso_days_from_parts(*read.iso_year, *read.iso_week, *read.iso_day);
    return {day * day_ms + of_day, read.offset_ms};
  }
  if (!read.year || !read.month || !read.day)
    throw CommandError(
        conversion_failure,
        fmt::format("an incomplete date/time string has been found, with elements missing: \"{}\"", text));
  const LocalDate date{days_from_parts(*read.year, *read.month, *read.day), of_day};
  if (date_parts(date).day != *read.day) fail_parse(text, complaint(text, text.size(), invalid_date));
  return {date.days * day_ms + of_day, read.offset_ms};
}

bool names_zone(std::string_view text) {
  if (text.ends_with('Z') || text.ends_with("GMT") || text.ends_with("UTC")) return true;
  const std::size_t time = text.find_first_of("T ");
  return time != std::string_view::npos && text.find_first_of("+-", time) != std::string_view::npos;
}

// The forms of ISO 8601 that leave out separators, digits or parts of the time.
std::optional<LocalTime> by_iso_form(std::string_view text) {
  if (const auto ms = parse_date(text))
    return LocalTime{*ms, names_zone(text) ? std::optional<std::int64_t>(0) : std::nullopt};
  for (const std::string_view format : {"%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%Y-%m-%dT%H", "%Y-%m-%d %H"}) {
    try {
      if (format == "%Y%m%d" && text.size() != 8) continue;
      return by_format(text, format);
    } catch (const CommandError&) {
      continue;
    }
  }
  return std::nullopt;
}

// Such as 2024-02-30: its month has no such day, and with another it were right.
bool has_absent_day(std::string_view text) {
  constexpr std::size_t day_at = 8, digits = 2;
  if (text.size() < day_at + digits) return false;
  const std::string_view day = text.substr(day_at, digits);
  if (day < "29" || day > "31") return false;
  return by_iso_form(std::string(text).replace(day_at, digits, "01")).has_value();
}

LocalTime by_iso(std::string_view text) {
  if (text.empty()) fail_parse(text, complaint(text, 0, "Empty string"));
  if (const auto read = by_iso_form(text)) return *read;
  if (text.find_first_of("0123456789") == std::string_view::npos)
    throw CommandError(
        conversion_failure,
        fmt::format("an incomplete date/time string has been found, with elements missing: \"{}\"", text));
  // mongod has read the end of the text by then: one place further than by a format.
  if (has_absent_day(text)) fail_parse(text, complaint(text, text.size() + 1, invalid_date));
  throw CommandError(conversion_failure, fmt::format("Error parsing date string '{}'", text));
}

class DateFromStringNode final : public Expression {
 public:
  enum Part : std::size_t { Text, Format, Timezone, OnNull, OnError };
  explicit DateFromStringNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    const Value text = parts_[Text]->evaluate(variables);
    // The format and the time zone are judged even if the text is null.
    const Value format = parts_[Format] ? parts_[Format]->evaluate(variables) : Value();
    if (!format.view().is_nullish()) check_format(format);
    const std::optional<std::int64_t> offset =
        parts_[Timezone] ? zone_argument_ms(parts_[Timezone]->evaluate(variables)) : 0;
    if (text.view().is_nullish()) return parts_[OnNull] ? parts_[OnNull]->evaluate(variables) : Value::null();
    try {
      return made(text, format, offset);
    } catch (const CommandError& error) {
      if (error.code != conversion_failure || !parts_[OnError]) throw;
    }
    return parts_[OnError]->evaluate(variables);
  }

 private:
  static void check_format(const Value& format) {
    if (format.type() != Type::String)
      throw CommandError(40684, fmt::format("$dateFromString requires that 'format' be a string, found: {} with value "
                                            "{}",
                                            wire::type_name(format.type()), expression_text(format)));
    const std::string_view text = format.view().as_string();
    for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 2)) {
      if (at + 1 == text.size()) throw CommandError(18535, "Unmatched '%' at end of format string");
      if (!is_format_character(text[at + 1]))
        throw CommandError(18536, fmt::format("Invalid format character '%{}' in format string", text[at + 1]));
    }
  }

  Value made(const Value& text, const Value& format, std::optional<std::int64_t> offset) const {
    if (text.type() != Type::String)
      throw CommandError(conversion_failure,
                         fmt::format("$dateFromString requires that 'dateString' be a string, found: {} with value {}",
                                     wire::type_name(text.type()), expression_text(text)));
    if (!offset) return Value::null();
    if (parts_[Format] && format.view().is_nullish()) return Value::null();
    const std::string_view string = text.view().as_string();
    const LocalTime local = format ? by_format(string, format.view().as_string()) : by_iso(string);
    if (local.offset_ms && parts_[Timezone])
      throw CommandError(conversion_failure,
                         fmt::format("you cannot pass in a date/time string with {} together with a timezone argument",
                                     string.ends_with('Z') ? "time zone information ('Z')" : "GMT offset"));
    return Value::date(local.ms - local.offset_ms.value_or(*offset));
  }

  std::vector<ExpressionPtr> parts_;
};

ExpressionPtr parse(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"dateString", 40542, "Missing 'dateString' parameter to $dateFromString"},
                                            {"format"},
                                            {"timezone"},
                                            {"onNull"},
                                            {"onError"}};
  const std::string not_object = fmt::format("$dateFromString only supports an object as an argument, found: {}",
                                             wire::type_name(input.argument.type()));
  const std::vector<ValueView> members =
      named_members(input, names, {40540, not_object, 40541, "Unrecognized argument to $dateFromString: "});
  using enum DateFromStringNode::Part;
  std::vector<ExpressionPtr> parts(members.size());
  for (const auto part : {Text, Timezone, Format, OnNull, OnError})
    if (members[part]) parts[part] = input.scope.parse(members[part]);
  return std::make_unique<DateFromStringNode>(std::move(parts));
}

constexpr ExpressionOperator operators[] = {{.name = "$dateFromString", .parse = parse}};

}  // namespace

extern constinit const ExpressionSpec date_from_string_expression{operators};

}  // namespace emulator
