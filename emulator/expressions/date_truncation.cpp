// $dateTrunc.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

// Bins are counted from the first instant of 2000; weeks from its first day of that name.
std::int64_t reference_ms(const DateUnit& unit, int start_of_week) {
  const std::int64_t year_2000 = date_from_parts(2000, 1, 1, 0);
  if (unit.name != "week") return year_2000;
  const int days = (start_of_week - date_parts(year_2000).iso_day_of_week + 7) % 7;
  return year_2000 + days * day_ms;
}

std::int64_t truncated(std::int64_t ms, const DateUnit& unit, std::int64_t bins, int start_of_week) {
  if (unit.months == 0) {
    const std::int64_t reference = reference_ms(unit, start_of_week);
    return reference + floor_divide(ms - reference, unit.ms * bins) * unit.ms * bins;
  }
  const DateParts parts = date_parts(ms);
  const std::int64_t months = (std::int64_t{parts.year} - 2000) * 12 + parts.month - 1;
  const std::int64_t size = unit.months * bins;
  return date_from_parts(2000, floor_divide(months, size) * size + 1, 1, 0);
}

std::int64_t bin_size(const Value& value) {
  const std::optional<std::int64_t> size = value.view().is_number() ? exact_int64(value) : std::nullopt;
  if (!size)
    throw CommandError(5439017, fmt::format("$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '{}' "
                                            "of type {}",
                                            expression_text(value), wire::type_name(value.type())));
  if (*size <= 0)
    throw CommandError(5439018,
                       fmt::format("$dateTrunc requires 'binSize' to be greater than 0, but got value {}", *size));
  return std::min<std::int64_t>(*size, 100'000'000'000);
}

class DateTruncNode final : public Expression {
 public:
  explicit DateTruncNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    enum : std::size_t { Date, Unit, BinSize, Zone, StartOfWeek, Count };
    Value values[Count];
    for (const std::size_t i : {Date, Unit, BinSize})
      if (parts_[i] && (values[i] = parts_[i]->evaluate(variables)).view().is_nullish()) return Value::null();
    // The start of the week is not even looked at beside another unit.
    const bool by_week = values[Unit].type() == Type::String && values[Unit].view().as_string() == "week";
    Value& day = values[StartOfWeek];
    if (by_week && parts_[StartOfWeek] && (day = parts_[StartOfWeek]->evaluate(variables)).view().is_nullish())
      return Value::null();
    const std::optional<std::int64_t> offset =
        parts_[Zone] ? evaluated_zone_ms("$dateTrunc", *parts_[Zone], variables) : 0;
    if (!offset) return Value::null();
    const Value& date = values[Date];
    if (date.type() != Type::DateTime && date.type() != Type::Timestamp && date.type() != Type::ObjectId)
      throw CommandError(
          5439012, fmt::format("$dateTrunc requires 'date' to be a date, but got {}", wire::type_name(date.type())));
    const DateUnit& unit = checked_unit("$dateTrunc", values[Unit]);
    const std::int64_t bins = parts_[BinSize] ? bin_size(values[BinSize]) : 1;
    constexpr int sunday = 7;
    const int start = day ? iso_weekday("$dateTrunc", day) : sunday;
    return Value::date(truncated(coerced_date_ms(date) + *offset, unit, bins, start) - *offset);
  }

 private:
  std::vector<ExpressionPtr> parts_;
};

ExpressionPtr parse(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"date", 5439009, "Missing 'date' parameter to $dateTrunc"},
                                            {"unit", 5439010, "Missing 'unit' parameter to $dateTrunc"},
                                            {"binSize"},
                                            {"timezone"},
                                            {"startOfWeek"}};
  constexpr std::string_view expected =
      ". Expected arguments are date, unit, and optionally, binSize, timezone, startOfWeek";
  const std::vector<ValueView> members = named_members(
      input, names, {5439007, "", 5439008, "Unrecognized argument to $dateTrunc: ", UnknownName::Bare, expected});
  std::vector<ExpressionPtr> parts(members.size());
  for (std::size_t i = members.size(); i > 0; --i)  // the last is parsed first
    if (members[i - 1]) parts[i - 1] = input.scope.parse(members[i - 1]);
  return std::make_unique<DateTruncNode>(std::move(parts));
}

constexpr ExpressionOperator operators[] = {{.name = "$dateTrunc", .parse = parse, .wire_version_min = 13}};

}  // namespace

extern constinit const ExpressionSpec date_truncation_expression{operators};

}  // namespace emulator
