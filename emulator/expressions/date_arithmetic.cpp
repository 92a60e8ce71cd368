// $dateAdd, $dateSubtract, $dateDiff.
#include <fmt/format.h>

#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/wide_integer.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

const DateUnit& unit_of(std::string_view name) {
  const DateUnit* found = find_date_unit(name);
  if (found == nullptr) throw CommandError(9, fmt::format("unknown time unit value: {}", name));
  return *found;
}

// startDate, unit, amount, and timezone if it was given.
Value date_add(const Call& call) {
  for (std::size_t i = 0; i < 3; ++i)
    if (call[i].view().is_nullish()) return Value::null();
  const std::optional<std::int64_t> offset = call.count() > 3 ? zone_argument_ms(call[3]) : 0;
  if (!offset) return Value::null();
  if (!has_date(call[0]))
    throw CommandError(5166403, fmt::format("{} requires startDate to be convertible to a date", call.name));
  if (call[1].type() != Type::String)
    throw CommandError(5166404, fmt::format("{} expects string defining the time unit", call.name));
  const DateUnit& unit = unit_of(call[1].view().as_string());
  const std::optional<std::int64_t> amount = call[2].view().is_number() ? exact_int64(call[2]) : std::nullopt;
  if (!amount) throw CommandError(5166405, fmt::format("{} expects integer amount of time units", call.name));
  const bool is_subtraction = call.name == "$dateSubtract";
  if (is_subtraction && *amount == INT64_MIN)
    throw CommandError(6045000, fmt::format("invalid $dateSubtract 'amount' parameter value: {}", *amount));
  return Value::date(date_plus(coerced_date_ms(call[0]), is_subtraction ? -*amount : *amount, unit, *offset));
}

ExpressionPtr parse_date_add(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"startDate"}, {"unit"}, {"amount"}, {"timezone"}};
  if (!input.argument.is(Type::Document))
    throw CommandError(5166400, fmt::format("{} expects an object as its argument", input.name));
  const std::string unknown = fmt::format("Unrecognized argument to {}: ", input.name);
  const std::string expected = ". Expected arguments are startDate, unit, amount, and optionally timezone.";
  std::vector<ExpressionPtr> arguments =
      parse_members(input, names, {5166400, "", 5166401, unknown, UnknownName::Bare, expected});
  if (!arguments[0] || !arguments[1] || !arguments[2])
    throw CommandError(5166402, fmt::format("{} requires startDate, unit, and amount to be present", input.name));
  if (!arguments.back()) arguments.pop_back();
  return make_call(input, std::move(arguments), date_add, Arguments::InTurn);
}

std::int64_t months_since_zero(const DateParts& parts) { return std::int64_t{parts.year} * 12 + parts.month - 1; }

// How many boundaries of the unit lie between.
std::int64_t boundaries(const DateUnit& unit, std::int64_t start, std::int64_t end, std::int64_t offset,
                        int start_of_week) {
  if (unit.months != 0)
    return wire::floor_divide(months_since_zero(date_parts(end, offset)), unit.months) -
           wire::floor_divide(months_since_zero(date_parts(start, offset)), unit.months);
  // 1970-01-01 was a Thursday, the fourth day of the week that begins on Monday.
  const std::int64_t shift = unit.name == "week" ? (4 - start_of_week + 7) % 7 * day_ms : 0;
  const auto unit_of = [&](std::int64_t ms) { return wire::floor_divide(WideInteger{ms} + offset + shift, unit.ms); };
  const std::optional<std::int64_t> between = narrowed(unit_of(end) - unit_of(start));
  if (!between) throw CommandError(5166308, "dateDiff overflowed");
  return *between;
}

class DateDiffNode final : public Expression {
 public:
  explicit DateDiffNode(std::vector<ExpressionPtr> parts) : parts_(std::move(parts)) {}

  Value evaluate(Variables& variables) const override {
    enum : std::size_t { Start, End, Unit, Zone, StartOfWeek };
    Value values[3];
    for (std::size_t i = Start; i <= Unit; ++i)
      if ((values[i] = parts_[i]->evaluate(variables)).view().is_nullish()) return Value::null();
    const bool by_week = values[Unit].type() == Type::String && values[Unit].view().as_string() == "week";
    Value day;
    if (by_week && parts_[StartOfWeek] && (day = parts_[StartOfWeek]->evaluate(variables)).view().is_nullish())
      return Value::null();
    const std::optional<std::int64_t> offset =
        parts_[Zone] ? evaluated_zone_ms("$dateDiff", *parts_[Zone], variables) : 0;
    if (!offset) return Value::null();
    for (const std::size_t i : {Start, End})
      if (!has_date(values[i]))
        throw CommandError(5166307,
                           fmt::format("$dateDiff requires '{}' to be a date, but got {}",
                                       i == Start ? "startDate" : "endDate", wire::type_name(values[i].type())));
    const DateUnit& unit = checked_unit("$dateDiff", values[Unit]);
    constexpr int sunday = 7;
    const int start_of_week = day ? iso_weekday("$dateDiff", day) : sunday;
    return Value::int64(
        boundaries(unit, coerced_date_ms(values[Start]), coerced_date_ms(values[End]), *offset, start_of_week));
  }

 private:
  std::vector<ExpressionPtr> parts_;
};

ExpressionPtr parse_date_difference(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"startDate", 5166303, "Missing 'startDate' parameter to $dateDiff"},
                                            {"endDate", 5166304, "Missing 'endDate' parameter to $dateDiff"},
                                            {"unit", 5166305, "Missing 'unit' parameter to $dateDiff"},
                                            {"timezone"},
                                            {"startOfWeek"}};
  const std::vector<ValueView> members =
      named_members(input, names, {5166301, "", 5166302, "Unrecognized argument to $dateDiff: "});
  std::vector<ExpressionPtr> parts(members.size());
  for (std::size_t i = members.size(); i > 0; --i)  // the last is parsed first
    if (members[i - 1]) parts[i - 1] = input.scope.parse(members[i - 1]);
  return std::make_unique<DateDiffNode>(std::move(parts));
}

constexpr ExpressionOperator operators[] = {
    {.name = "$dateAdd", .parse = parse_date_add, .wire_version_min = 13},
    {.name = "$dateSubtract", .parse = parse_date_add, .wire_version_min = 13},
    {.name = "$dateDiff", .parse = parse_date_difference, .wire_version_min = 13},
};

}  // namespace

extern constinit const ExpressionSpec date_arithmetic_expression{operators};

}  // namespace emulator
