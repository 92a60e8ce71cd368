// $dateFromParts, $dateToParts.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "emulator/wide_integer.h"

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

class DateFromPartsNode final : public Expression {
 public:
  DateFromPartsNode(std::int64_t year_min, Wording wording, std::vector<ExpressionPtr> parts)
      : year_min_(year_min), counts_microseconds_(wording <= Wording::V4_4), parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    std::int64_t numbers[Timezone] = {1970, 1970, 1, 1, 1, 1, 0, 0, 0, 0};
    // The time of the day comes first, then the time zone, then the day.
    if (!take(variables, {Hour, Minute, Second, Millisecond}, numbers)) return Value::null();
    const std::optional<std::int64_t> offset =
        parts_[Timezone] ? zone_argument_ms(parts_[Timezone]->evaluate(variables)) : 0;
    if (!offset) return Value::null();
    if (parts_[IsoWeekYear]) {
      if (!take(variables, {IsoWeekYear, IsoWeek, IsoDayOfWeek}, numbers)) return Value::null();
      check_year(31095, IsoWeekYear, numbers);
      return made(iso_days_from_parts(numbers[IsoWeekYear], numbers[IsoWeek], numbers[IsoDayOfWeek]), numbers, *offset);
    }
    if (!take(variables, {Year, Month, Day}, numbers)) return Value::null();
    check_year(40523, Year, numbers);
    return made(days_from_parts(numbers[Year], numbers[Month], numbers[Day]), numbers, *offset);
  }

 private:
  // False: one of them is null.
  bool take(Variables& variables, std::initializer_list<Part> parts, std::int64_t* numbers) const {
    for (const Part part : parts) {
      if (!parts_[part]) continue;
      const Value value = parts_[part]->evaluate(variables);
      if (value.view().is_nullish()) return false;
      numbers[part] = whole(part, value);
    }
    return true;
  }

  void check_year(int code, Part part, const std::int64_t* numbers) const {
    constexpr std::int64_t year_max = 9999;
    if (numbers[part] < year_min_ || numbers[part] > year_max)
      throw CommandError(code, fmt::format("'{}' must evaluate to an integer in the range {} to {}, found {}",
                                           part_names[part], year_min_, year_max, numbers[part]));
  }

  static std::int64_t whole(Part part, const Value& value) {
    const std::optional<std::int64_t> number = value.view().is_number() ? exact_int64(value) : std::nullopt;
    if (!number)
      throw CommandError(40515, fmt::format("'{}' must evaluate to an integer, found {} with value {}",
                                            part_names[part], wire::type_name(value.type()), expression_text(value)));
    const bool small = part != Year && part != IsoWeekYear && part != Second && part != Millisecond;
    if (small && (*number < INT16_MIN || *number > INT16_MAX))
      throw CommandError(31034, fmt::format("'{}' must evaluate to a value in the range [-32768, 32767]; value {} is "
                                            "not in range",
                                            part_names[part], *number));
    return *number;
  }

  [[noreturn]] static void casting_overflow() {
    throw CommandError(159, "Overflow casting from a lower-precision duration to a higher-precision duration");
  }

  // mongod counts whole seconds and the microseconds of a last one, and up to 4.4 puts them together as microseconds. A sum of
  // milliseconds that does not fit is not noticed.
  Value made(std::int64_t days, const std::int64_t* numbers, std::int64_t offset_ms) const {
    const WideInteger minutes = WideInteger{days} * 24 * 60 + numbers[Hour] * 60 + numbers[Minute];
    const WideInteger ms = (minutes * 60 + numbers[Second]) * 1000 + numbers[Millisecond] - offset_ms;
    const WideInteger seconds = counts_microseconds_ ? ms / 1000 : wire::floor_divide(ms, 1000);
    const auto rest_ms = static_cast<std::int64_t>(ms - seconds * 1000);
    const std::int64_t per_second = counts_microseconds_ ? 1'000'000 : 1000;
    const std::optional<std::int64_t> whole = narrowed(seconds * per_second);
    if (!whole || !narrowed(WideInteger{numbers[Millisecond]} * 1000)) casting_overflow();
    if (counts_microseconds_ && !narrowed(WideInteger{*whole} + rest_ms * 1000))
      duration_overflow(*whole, rest_ms * 1000, "μs");
    return Value::date(wrapped(seconds * 1000 + rest_ms));
  }

  std::int64_t year_min_;
  bool counts_microseconds_;
  std::vector<ExpressionPtr> parts_;
};

void check_no_mixing(const std::vector<ValueView>& given) {
  const bool iso = given[IsoWeekYear] || given[IsoWeek] || given[IsoDayOfWeek];
  if (!given[Year] && !given[IsoWeekYear])
    throw CommandError(40516, "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
  if (given[Year] && iso)
    throw CommandError(40489, "$dateFromParts does not allow mixing natural dates with ISO dates");
  if (given[IsoWeekYear] && (given[Month] || given[Day]))
    throw CommandError(40525, "$dateFromParts does not allow mixing ISO dates with natural dates");
}

// All members are known before the first is parsed, in this order.
constexpr Part parsing_order[] = {Year,        Month,       Day,     Hour,         Minute,  Second,
                                  Millisecond, IsoWeekYear, IsoWeek, IsoDayOfWeek, Timezone};

template <std::int64_t year_min>
ExpressionPtr parse_from_parts(const ExpressionInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(40519, "$dateFromParts only supports an object as its argument");
  std::vector<ValueView> given(PartCount);
  for (const auto& [name, value] : input.argument.as_document()) {
    const auto* const found = std::find(std::begin(part_names), std::end(part_names), name);
    if (found == std::end(part_names))
      throw CommandError(40518, fmt::format("Unrecognized argument to $dateFromParts: {}", name));
    given[static_cast<std::size_t>(found - std::begin(part_names))] = value;
  }
  check_no_mixing(given);
  std::vector<ExpressionPtr> parts(PartCount);
  for (const Part part : parsing_order)
    if (given[part]) parts[part] = input.scope.parse(given[part]);
  return std::make_unique<DateFromPartsNode>(year_min, input.scope.context.profile->wording, std::move(parts));
}

// date, and timezone and iso8601 where they are given.
class DateToPartsNode final : public Expression {
 public:
  DateToPartsNode(ExpressionPtr date, ExpressionPtr zone, ExpressionPtr iso)
      : date_(std::move(date)), zone_(std::move(zone)), iso_(std::move(iso)) {}

  Value evaluate(Variables& variables) const override {
    const Value date = date_->evaluate(variables);
    // The others are judged even if the date is null.
    const std::optional<std::int64_t> offset = zone_ ? zone_argument_ms(zone_->evaluate(variables)) : 0;
    if (!offset) return Value::null();
    const Value iso = iso_ ? iso_->evaluate(variables) : Value::boolean(false);
    if (!iso.view().is_nullish() && iso.type() != Type::Bool)
      throw CommandError(40521, fmt::format("iso8601 must evaluate to a bool, found {}", wire::type_name(iso.type())));
    if (date.view().is_nullish() || iso.view().is_nullish()) return Value::null();
    const DateParts parts = date_parts(coerced_date_ms(date), *offset);
    wire::DocumentBuilder out;
    if (iso.view().as_bool())
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
  std::vector<ExpressionPtr> parts;
  for (const ValueView member : members) parts.push_back(member ? input.scope.parse(member) : nullptr);
  return std::make_unique<DateToPartsNode>(std::move(parts[0]), std::move(parts[1]), std::move(parts[2]));
}

constexpr int mongodb_4_4 = 9;

constexpr ExpressionOperator operators[] = {
    {.name = "$dateFromParts", .parse = parse_from_parts<1>, .wire_version_min = mongodb_4_4},
    {.name = "$dateFromParts", .parse = parse_from_parts<0>},
    {.name = "$dateToParts", .parse = parse_to_parts},
};

}  // namespace

extern constinit const ExpressionSpec date_making_expression{operators};

}  // namespace emulator
