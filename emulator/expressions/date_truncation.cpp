// $dateTrunc.
#include <fmt/format.h>

#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

using wire::floor_divide;
using wire::Type;
using wire::Value;
using wire::ValueView;

// Bins are counted from the first instant of 2000; weeks from its first day of that name.
std::int64_t reference_days(const DateUnit& unit, int start_of_week) {
  const LocalDate year_2000{days_from_parts(2000, 1, 1), 0};
  if (unit.name != "week") return year_2000.days;
  return year_2000.days + (start_of_week - date_parts(year_2000).iso_day_of_week + 7) % 7;
}

struct Bins {
  const DateUnit& unit;
  std::int64_t size;
  std::int64_t offset_ms;
  std::int64_t reference_days;
};

std::int64_t truncated_by_clock(std::int64_t ms, const Bins& bins) {
  const std::optional<std::int64_t> size_ms = narrowed(WideInteger{bins.unit.ms} * bins.size);
  if (!size_ms) throw CommandError(5439002, "dateTrunc overflowed");
  const WideInteger reference = WideInteger{bins.reference_days} * day_ms - bins.offset_ms;
  const std::optional<std::int64_t> distance = narrowed(ms - reference);
  if (!distance) throw CommandError(5439000, "dateTrunc overflowed");
  const std::optional<std::int64_t> truncated =
      narrowed(reference + WideInteger{floor_divide(*distance, *size_ms)} * *size_ms);
  if (!truncated) throw CommandError(5439001, "dateTrunc overflowed");
  return *truncated;
}

std::int64_t truncated_by_calendar(std::int64_t ms, const Bins& bins) {
  constexpr std::int64_t size_max = 100'000'000'000;
  if (bins.size > size_max) throw CommandError(5439006, "dateTrunc unsupported binSize value");
  const LocalDate local = local_date(ms, bins.offset_ms);
  const wire::CivilTime date = wire::civil_date(local.days);
  const std::int64_t months = (std::int64_t{date.year} - 2000) * 12 + date.month - 1;
  const std::int64_t whole = bins.unit.months != 0
                                 ? floor_divide(months, bins.unit.months * bins.size)
                                 : floor_divide(local.days - bins.reference_days, bins.unit.ms / day_ms * bins.size);
  return date_plus(bins.reference_days * day_ms - bins.offset_ms, whole * bins.size, bins.unit, bins.offset_ms);
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
  return *size;
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
    if (!has_date(date))
      throw CommandError(
          5439012, fmt::format("$dateTrunc requires 'date' to be a date, but got {}", wire::type_name(date.type())));
    const DateUnit& unit = checked_unit("$dateTrunc", values[Unit]);
    const std::int64_t size = parts_[BinSize] ? bin_size(values[BinSize]) : 1;
    constexpr int sunday = 7;
    const Bins bins{unit, size, *offset, reference_days(unit, day ? iso_weekday("$dateTrunc", day) : sunday)};
    const bool by_clock = unit.months == 0 && unit.ms < day_ms;
    const std::int64_t ms = coerced_date_ms(date);
    return Value::date(by_clock ? truncated_by_clock(ms, bins) : truncated_by_calendar(ms, bins));
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
