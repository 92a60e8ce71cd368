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

std::int64_t zone_offset(const Value& zone) {
  try {
    if (zone.type() != Type::String)
      throw CommandError(40517,
                         fmt::format("timezone must evaluate to a string, found {}", wire::type_name(zone.type())));
    return zone_offset_ms(zone.view().as_string());
  } catch (CommandError& error) {
    error.message = "$dateTrunc parameter 'timezone' value parsing failed :: caused by :: " + error.message;
    throw;
  }
}

const DateUnit& checked_unit(const Value& value) {
  if (value.type() != Type::String)
    throw CommandError(
        5439013, fmt::format("$dateTrunc requires 'unit' to be a string, but got {}", wire::type_name(value.type())));
  const DateUnit* unit = find_date_unit(value.view().as_string());
  if (unit == nullptr)
    throw CommandError(5439014, fmt::format("$dateTrunc parameter 'unit' value cannot be recognized as a time unit: {}",
                                            value.view().as_string()));
  return *unit;
}

class DateTruncNode final : public Expression {
 public:
  explicit DateTruncNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    enum : std::size_t { Date, Unit, BinSize, Zone, StartOfWeek, Count };
    Value values[Count];
    for (std::size_t i = 0; i < Count; ++i) {
      if (!parts_[i]) continue;
      values[i] = parts_[i]->evaluate(variables);
      const bool counts =
          i != StartOfWeek || (values[Unit].type() == Type::String && values[Unit].view().as_string() == "week");
      if (counts && values[i].view().is_nullish()) return Value::null();
    }
    const Value& date = values[Date];
    if (date.type() != Type::DateTime && date.type() != Type::Timestamp && date.type() != Type::ObjectId)
      throw CommandError(
          5439012, fmt::format("$dateTrunc requires 'date' to be a date, but got {}", wire::type_name(date.type())));
    const DateUnit& unit = checked_unit(values[Unit]);
    const std::int64_t bins = parts_[BinSize] ? bin_size(values[BinSize]) : 1;
    const std::int64_t offset = parts_[Zone] ? zone_offset(values[Zone]) : 0;
    const int start = unit.name == "week" && parts_[StartOfWeek] ? iso_weekday("$dateTrunc", values[StartOfWeek]) : 7;
    return Value::date(truncated(coerced_date_ms(date) + offset, unit, bins, start) - offset);
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
  if (input.argument.is(Type::Document))
    for (const wire::Element& element : input.argument.as_document())
      if (std::none_of(std::begin(names), std::end(names),
                       [&](const NamedArgument& each) { return each.name == element.name; }))
        throw CommandError(5439008, fmt::format("Unrecognized argument to $dateTrunc: {}. Expected arguments are date, "
                                                "unit, and optionally, binSize, timezone, startOfWeek",
                                                element.name));
  std::vector<ExpressionPtr> parts;
  for (const ValueView member : named_members(input, names, {5439007, "", 5439008, ""}))
    parts.push_back(member ? input.scope.parse(member) : nullptr);
  return std::make_unique<DateTruncNode>(std::move(parts));
}

constexpr ExpressionOperator operators[] = {{.name = "$dateTrunc", .parse = parse, .wire_version_min = 13}};

}  // namespace

extern constinit const ExpressionSpec date_truncation_expression{operators};

}  // namespace emulator
