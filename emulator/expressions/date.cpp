// $year and the other parts of a date, $dateToString, $dateToParts, $tsSecond, $tsIncrement.
#include <fmt/format.h>

#include "emulator/date_parts.h"
#include "emulator/expressions/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

int part(std::string_view name, const DateParts& parts) {
  if (name == "$year") return parts.year;
  if (name == "$month") return parts.month;
  if (name == "$dayOfMonth") return parts.day;
  if (name == "$hour") return parts.hour;
  if (name == "$minute") return parts.minute;
  if (name == "$second") return parts.second;
  if (name == "$millisecond") return parts.millisecond;
  if (name == "$dayOfWeek") return parts.day_of_week;
  if (name == "$dayOfYear") return parts.day_of_year;
  if (name == "$week") return parts.week;
  if (name == "$isoWeek") return parts.iso_week;
  return parts.iso_day_of_week;
}

// The parts alone have words of their own for a time zone that is no string.
std::int64_t zone_of(const Call& call, const Value& zone) {
  if (zone.type() != Type::String)
    throw CommandError(40533, fmt::format("{} requires a string for the timezone argument, but was given a {} ({})",
                                          call.name, wire::type_name(zone.type()), expression_text(zone)));
  return zone_offset_ms(zone.view().as_string());
}

// An absent time zone is no argument; a null one makes the result null.
Value date_part(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  const std::int64_t date = coerced_date_ms(call[0]);
  if (call.count() > 1 && call[1].view().is_nullish()) return Value::null();
  const DateParts parts = date_parts(date, call.count() > 1 ? zone_of(call, call[1]) : 0);
  if (call.name == "$isoWeekYear") return Value::int64(parts.iso_week_year);
  return Value::int32(part(call.name, parts));
}

ExpressionPtr parse_date_part(const ExpressionInput& input) {
  std::vector<ExpressionPtr> arguments;
  const bool named = input.argument.is(Type::Document) && !input.argument.as_document().first().name.starts_with('$');
  if (!named) {
    arguments = input.scope.parse_arguments(input.argument);
    if (arguments.size() != 1)
      throw CommandError(40536, fmt::format("{} accepts exactly one argument if given an array, but was given {}",
                                            input.name, arguments.size()));
    return make_call(input, std::move(arguments), date_part, Arguments::InTurn);
  }
  const std::string absent =
      fmt::format("missing 'date' argument to {}, provided: {}: {}", input.name, input.name, bson_text(input.argument));
  const NamedArgument names[] = {{"date", 40539, absent}, {"timezone"}};
  const std::string unknown = fmt::format("unrecognized option to {}: ", input.name);
  arguments = parse_members(input, names, {40535, "", 40535, unknown, UnknownName::Quoted});
  if (!arguments.back()) arguments.pop_back();
  return make_call(input, std::move(arguments), date_part, Arguments::InTurn);
}

// The format characters that print a part of the date, and how many digits at least.
struct PartFormat {
  char character;
  int DateParts::*part;
  int digits_min;
};
constexpr PartFormat part_formats[] = {
    {'Y', &DateParts::year, 4},          {'m', &DateParts::month, 2},
    {'d', &DateParts::day, 2},           {'H', &DateParts::hour, 2},
    {'M', &DateParts::minute, 2},        {'S', &DateParts::second, 2},
    {'L', &DateParts::millisecond, 3},   {'j', &DateParts::day_of_year, 3},
    {'w', &DateParts::day_of_week, 1},   {'u', &DateParts::iso_day_of_week, 1},
    {'U', &DateParts::week, 2},          {'V', &DateParts::iso_week, 2},
    {'G', &DateParts::iso_week_year, 4},
};

std::string formatted_part(char character, const DateParts& parts, std::int64_t offset_minutes) {
  for (const PartFormat& each : part_formats) {
    if (each.character != character) continue;
    if (!is_shown_year(parts.*each.part)) year_out_of_range(parts.*each.part);
    return fmt::format("{:0{}}", parts.*each.part, each.digits_min);
  }
  const std::int64_t away = offset_minutes < 0 ? -offset_minutes : offset_minutes;
  switch (character) {
    case '%':
      return "%";
    case 'z':
      return fmt::format("{}{:02}{:02}", offset_minutes < 0 ? "-" : "+", away / 60, away % 60);
    case 'Z':
      return std::to_string(offset_minutes);
    default:
      throw CommandError(18536, fmt::format("Invalid format character '%{}' in format string", character));
  }
}

std::string formatted(std::string_view format, std::int64_t ms, std::int64_t offset) {
  const DateParts parts = date_parts(ms, offset);
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (++i == format.size()) throw CommandError(18535, "Unmatched '%' at end of format string");
    out += formatted_part(format[i], parts, offset / 60'000);
  }
  return out;
}

void check_format(const Value& format) {
  if (format.type() != Type::String)
    throw CommandError(18533, fmt::format("$dateToString requires that 'format' be a string, found: {} with value {}",
                                          wire::type_name(format.type()), expression_text(format)));
  formatted(format.view().as_string(), 0, 0);
}

class DateToStringNode final : public Expression {
 public:
  explicit DateToStringNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}
  Value evaluate(Variables& variables) const override {
    enum Part : std::size_t { Date, Format, Timezone, OnNull };
    const Value date = parts_[Date]->evaluate(variables);
    // The format and the time zone are judged even if the date is null.
    const Value format = parts_[Format] ? parts_[Format]->evaluate(variables) : Value::string("%Y-%m-%dT%H:%M:%S.%LZ");
    if (!format.view().is_nullish()) check_format(format);
    const std::optional<std::int64_t> offset =
        parts_[Timezone] ? zone_argument_ms(parts_[Timezone]->evaluate(variables)) : 0;
    if (date.view().is_nullish()) return parts_[OnNull] ? parts_[OnNull]->evaluate(variables) : Value::null();
    if (!offset || format.view().is_nullish()) return Value::null();
    return Value::string(formatted(format.view().as_string(), coerced_date_ms(date), *offset));
  }

 private:
  std::vector<ExpressionPtr> parts_;
};

ExpressionPtr parse_date_to_string(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {
      {"date", 18628, "Missing 'date' parameter to $dateToString"}, {"format"}, {"timezone"}, {"onNull"}};
  std::vector<ExpressionPtr> parts;
  for (const ValueView member :
       named_members(input, names, {18629, "", 18534, "Unrecognized argument to $dateToString: "}))
    parts.push_back(member ? input.scope.parse(member) : nullptr);
  return std::make_unique<DateToStringNode>(std::move(parts));
}

Value timestamp_part(const Call& call) {
  const bool seconds = call.name == "$tsSecond";
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Timestamp)
    throw CommandError(seconds ? 5687301 : 5687302, fmt::format(" Argument to {} must be a timestamp, but is {}",
                                                                call.name, wire::type_name(call[0].type())));
  const wire::Timestamp timestamp = call[0].view().as_timestamp();
  return Value::int64(seconds ? timestamp.seconds : timestamp.increment);
}

constexpr ExpressionOperator operators[] = {
    {.name = "$year", .parse = parse_date_part},
    {.name = "$month", .parse = parse_date_part},
    {.name = "$dayOfMonth", .parse = parse_date_part},
    {.name = "$hour", .parse = parse_date_part},
    {.name = "$minute", .parse = parse_date_part},
    {.name = "$second", .parse = parse_date_part},
    {.name = "$millisecond", .parse = parse_date_part},
    {.name = "$dayOfWeek", .parse = parse_date_part},
    {.name = "$dayOfYear", .parse = parse_date_part},
    {.name = "$week", .parse = parse_date_part},
    {.name = "$isoWeek", .parse = parse_date_part},
    {.name = "$isoWeekYear", .parse = parse_date_part},
    {.name = "$isoDayOfWeek", .parse = parse_date_part},
    {.name = "$dateToString", .parse = parse_date_to_string},
    {.name = "$tsSecond", .arguments_min = 1, .arguments_max = 1, .evaluate = timestamp_part, .wire_version_min = 17},
    {.name = "$tsIncrement",
     .arguments_min = 1,
     .arguments_max = 1,
     .evaluate = timestamp_part,
     .wire_version_min = 17},
};

}  // namespace

extern constinit const ExpressionSpec date_expression{operators};

}  // namespace emulator
