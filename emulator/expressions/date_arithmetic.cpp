// $dateAdd, $dateSubtract, $dateDiff.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/date_parts.h"
#include "emulator/date_units.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"

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

bool is_date(ValueView value) {
  return value.is(Type::DateTime) || value.is(Type::Timestamp) || value.is(Type::ObjectId);
}

std::int64_t zone_of(const Value& zone) {
  if (zone.type() != Type::String)
    throw CommandError(40517,
                       fmt::format("timezone must evaluate to a string, found {}", wire::type_name(zone.type())));
  return zone_offset_ms(zone.view().as_string());
}

// The same day of another month, or that month's last.
std::int64_t add_months(std::int64_t ms, std::int64_t months) {
  const DateParts parts = date_parts(ms);
  const std::int64_t first = date_from_parts(parts.year, parts.month + months, 1, 0);
  const std::int64_t next_first = date_from_parts(parts.year, parts.month + months + 1, 1, 0);
  const std::int64_t days = (next_first - first) / day_ms;
  return first + (std::min<std::int64_t>(parts.day, days) - 1) * day_ms + (ms - floor_divide(ms, day_ms) * day_ms);
}

// startDate, unit, amount, and timezone if it was given.
Value date_add(const Call& call) {
  for (const Value& argument : call.arguments)
    if (argument.view().is_nullish()) return Value::null();
  if (!is_date(call[0]))
    throw CommandError(5166403, fmt::format("{} requires startDate to be convertible to a date", call.name));
  if (call[1].type() != Type::String)
    throw CommandError(5166404, fmt::format("{} expects string defining the time unit", call.name));
  const DateUnit& unit = unit_of(call[1].view().as_string());
  const std::optional<std::int64_t> amount = call[2].view().is_number() ? exact_int64(call[2]) : std::nullopt;
  if (!amount) throw CommandError(5166405, fmt::format("{} expects integer amount of time units", call.name));
  const std::int64_t offset = call.count() > 3 ? zone_of(call[3]) : 0;
  const std::int64_t signed_amount = call.name == "$dateAdd" ? *amount : -*amount;
  const std::int64_t start = coerced_date_ms(call[0]) + offset;
  const std::int64_t end =
      unit.months != 0 ? add_months(start, signed_amount * unit.months) : start + signed_amount * unit.ms;
  return Value::date(end - offset);
}

ExpressionPtr parse_date_add(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"startDate"}, {"unit"}, {"amount"}, {"timezone"}};
  if (!input.argument.is(Type::Document))
    throw CommandError(5166400, fmt::format("{} expects an object as its argument", input.name));
  for (const wire::Element& element : input.argument.as_document())
    if (std::none_of(std::begin(names), std::end(names),
                     [&](const NamedArgument& each) { return each.name == element.name; }))
      throw CommandError(
          5166401, fmt::format("Unrecognized argument to {}: {}. Expected arguments are startDate, unit, amount, and "
                               "optionally timezone.",
                               input.name, element.name));
  std::vector<ExpressionPtr> arguments;
  const std::vector<ValueView> members = named_members(input, names, {5166400, "", 5166401, ""});
  if (!members[0] || !members[1] || !members[2])
    throw CommandError(5166402, fmt::format("{} requires startDate, unit, and amount to be present", input.name));
  for (const ValueView member : members)
    if (member) arguments.push_back(input.scope.parse(member));
  return make_call(input.name, std::move(arguments), date_add);
}

std::int64_t months_since_zero(const DateParts& parts) { return std::int64_t{parts.year} * 12 + parts.month - 1; }

// How many boundaries of the unit lie between.
std::int64_t boundaries(const DateUnit& unit, std::int64_t start, std::int64_t end, int start_of_week) {
  if (unit.months != 0)
    return floor_divide(months_since_zero(date_parts(end)), unit.months) -
           floor_divide(months_since_zero(date_parts(start)), unit.months);
  // 1970-01-01 was a Thursday, the fourth day of the week that begins on Monday.
  const std::int64_t shift = unit.name == "week" ? (4 - start_of_week + 7) % 7 * day_ms : 0;
  return floor_divide(end + shift, unit.ms) - floor_divide(start + shift, unit.ms);
}

// startDate, endDate, unit, timezone, startOfWeek; missing: not given.
Value date_difference(const Call& call) {
  const bool by_week = call[2].type() == Type::String && call[2].view().as_string() == "week";
  for (std::size_t i = 0; i < 4 + (by_week ? 1 : 0); ++i)
    if (i < 3 ? call[i].view().is_nullish() : call[i].type() == Type::Null) return Value::null();
  for (std::size_t i = 0; i < 2; ++i)
    if (!is_date(call[i]))
      throw CommandError(5166307, fmt::format("$dateDiff requires '{}' to be a date, but got {}",
                                              i == 0 ? "startDate" : "endDate", wire::type_name(call[i].type())));
  if (call[2].type() != Type::String)
    throw CommandError(
        5439013, fmt::format("$dateDiff requires 'unit' to be a string, but got {}", wire::type_name(call[2].type())));
  const DateUnit& unit = unit_of(call[2].view().as_string());
  const std::int64_t offset = call[3] ? zone_of(call[3]) : 0;
  const int sunday = 7;
  const int start_of_week = by_week && call[4] ? iso_weekday(call.name, call[4]) : sunday;
  return Value::int64(
      boundaries(unit, coerced_date_ms(call[0]) + offset, coerced_date_ms(call[1]) + offset, start_of_week));
}

ExpressionPtr parse_date_difference(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"startDate", 5166303, "Missing 'startDate' parameter to $dateDiff"},
                                            {"endDate", 5166304, "Missing 'endDate' parameter to $dateDiff"},
                                            {"unit", 5166305, "Missing 'unit' parameter to $dateDiff"},
                                            {"timezone"},
                                            {"startOfWeek"}};
  return parse_named_call(input, names, {5166301, "", 5166302, "Unrecognized argument to $dateDiff: "},
                          date_difference);
}

constexpr ExpressionOperator operators[] = {
    {.name = "$dateAdd", .parse = parse_date_add, .wire_version_min = 13},
    {.name = "$dateSubtract", .parse = parse_date_add, .wire_version_min = 13},
    {.name = "$dateDiff", .parse = parse_date_difference, .wire_version_min = 13},
};

}  // namespace

extern constinit const ExpressionSpec date_arithmetic_expression{operators};

}  // namespace emulator
