// $dateFromParts, $dateToParts.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/date_parts.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

enum Part : std::size_t {
  Year,
  IsoWeekYear,
  Month,
  IsoWeek,
  Day,
  IsoDayOfWeek,
  Hour,
  Minute,
  Second,
  Millisecond,
  Timezone,
  PartCount
};
constexpr std::string_view part_names[PartCount] = {"year",   "isoWeekYear",  "month",   "isoWeek",
                                                    "day",    "isoDayOfWeek", "hour",    "minute",
                                                    "second", "millisecond",  "timezone"};

std::int64_t offset_of(const Value& zone) {
  if (zone.missing()) return 0;
  if (zone.type() != Type::String)
    throw CommandError(40517,
                       fmt::format("timezone must evaluate to a string, found {}", wire::type_name(zone.type())));
  return zone_offset_ms(zone.view().as_string());
}

class DateFromPartsNode final : public Expression {
 public:
  explicit DateFromPartsNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    std::int64_t numbers[Timezone] = {1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
    for (std::size_t part = Year; part < Timezone; ++part) {
      if (!parts_[part]) continue;
      const Value value = parts_[part]->evaluate(variables);
      if (value.view().is_nullish()) return Value::null();
      numbers[part] = whole(part, value);
    }
    Value zone;
    if (parts_[Timezone]) {
      zone = parts_[Timezone]->evaluate(variables);
      if (zone.view().is_nullish()) return Value::null();
    }
    const std::int64_t of_day =
        ((numbers[Hour] * 60 + numbers[Minute]) * 60 + numbers[Second]) * 1000 + numbers[Millisecond];
    const std::int64_t local = parts_[IsoWeekYear]
                                   ? iso_day(numbers[IsoWeekYear], numbers[IsoWeek], numbers[IsoDayOfWeek]) + of_day
                                   : date_from_parts(numbers[Year], numbers[Month], numbers[Day], of_day);
    return Value::date(local - offset_of(zone));
  }

 private:
  static std::int64_t whole(std::size_t part, const Value& value) {
    const std::optional<std::int64_t> number = value.view().is_number() ? exact_int64(value) : std::nullopt;
    if (!number)
      throw CommandError(40515, fmt::format("'{}' must evaluate to an integer, found {} with value {}",
                                            part_names[part], wire::type_name(value.type()), expression_text(value)));
    if ((part == Year || part == IsoWeekYear) && (*number < 1 || *number > 9999))
      throw CommandError(40523, fmt::format("'{}' must evaluate to an integer in the range 1 to 9999, found {}",
                                            part_names[part], *number));
    const bool small = part != Second && part != Millisecond;
    if (small && (*number < INT16_MIN || *number > INT16_MAX))
      throw CommandError(31034, fmt::format("'{}' must evaluate to a value in the range [-32768, 32767]; value {} is "
                                            "not in range",
                                            part_names[part], *number));
    return *number;
  }

  // The fourth of January is in the first week.
  static std::int64_t iso_day(std::int64_t year, std::int64_t week, std::int64_t day) {
    constexpr std::int64_t day_ms = 86'400'000;
    const std::int64_t fourth = date_from_parts(year, 1, 4, 0);
    const std::int64_t monday = fourth - (date_parts(fourth).iso_day_of_week - 1) * day_ms;
    return monday + ((week - 1) * 7 + day - 1) * day_ms;
  }

  std::vector<ExpressionPtr> parts_;
};

void check_no_mixing(const std::vector<ExpressionPtr>& parts) {
  const bool iso = parts[IsoWeekYear] != nullptr;
  if (!iso && !parts[Year])
    throw CommandError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  if (!iso && (parts[IsoWeek] || parts[IsoDayOfWeek]))
    throw CommandError(40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
  if (iso && (parts[Year] || parts[Month] || parts[Day]))
    throw CommandError(40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
}

ExpressionPtr parse_from_parts(const ExpressionInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(40519, "$dateFromParts only supports an object as its argument");
  std::vector<ExpressionPtr> parts(PartCount);
  for (const auto& [name, value] : input.argument.as_document()) {
    const auto* const found = std::find(std::begin(part_names), std::end(part_names), name);
    if (found == std::end(part_names))
      throw CommandError(40518, fmt::format("Unrecognized argument to $dateFromParts: {}", name));
    parts[static_cast<std::size_t>(found - std::begin(part_names))] = input.scope.parse(value);
  }
  check_no_mixing(parts);
  return std::make_unique<DateFromPartsNode>(std::move(parts));
}

// date, and timezone and iso8601 where they are given.
class DateToPartsNode final : public Expression {
 public:
  DateToPartsNode(ExpressionPtr date, ExpressionPtr zone, ExpressionPtr iso)
      : date_(std::move(date)), zone_(std::move(zone)), iso_(std::move(iso)) {}

  Value evaluate(Variables& variables) const override {
    const Value date = date_->evaluate(variables);
    if (date.view().is_nullish()) return Value::null();
    Value zone;
    if (zone_ && (zone = zone_->evaluate(variables)).view().is_nullish()) return Value::null();
    bool iso = false;
    if (iso_) {
      const Value given = iso_->evaluate(variables);
      if (given.view().is_nullish()) return Value::null();
      if (given.type() != Type::Bool)
        throw CommandError(40521,
                           fmt::format("iso8601 must evaluate to a bool, found {}", wire::type_name(given.type())));
      iso = given.view().as_bool();
    }
    const std::int64_t offset = offset_of(zone);
    const DateParts parts = date_parts(coerced_date_ms(date) + offset);
    wire::DocumentBuilder out;
    if (iso)
      out.append_int32("isoWeekYear", parts.iso_week_year)
          .append_int32("isoWeek", parts.iso_week)
          .append_int32("isoDayOfWeek", parts.iso_day_of_week);
    else
      out.append_int32("year", parts.year).append_int32("month", parts.month).append_int32("day", parts.day);
    out.append_int32("hour", parts.hour).append_int32("minute", parts.minute).append_int32("second", parts.second);
    return Value::document(out.append_int32("millisecond", parts.millisecond).finish());
  }

 private:
  ExpressionPtr date_;
  ExpressionPtr zone_;
  ExpressionPtr iso_;
};

ExpressionPtr parse_to_parts(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {
      {"date", 40522, "Missing 'date' parameter to $dateToParts"}, {"timezone"}, {"iso8601"}};
  const std::vector<ValueView> members = named_members(input, names,
                                                       {40524, "$dateToParts only supports an object as its argument",
                                                        40520, "Unrecognized argument to $dateToParts: "});
  const auto parse = [&](ValueView member) { return member ? input.scope.parse(member) : nullptr; };
  return std::make_unique<DateToPartsNode>(parse(members[0]), parse(members[1]), parse(members[2]));
}

constexpr ExpressionOperator operators[] = {
    {.name = "$dateFromParts", .parse = parse_from_parts},
    {.name = "$dateToParts", .parse = parse_to_parts},
};

}  // namespace

extern constinit const ExpressionSpec date_making_expression{operators};

}  // namespace emulator
