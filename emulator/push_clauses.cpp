#include "emulator/push_clauses.h"

#include <fmt/format.h>

#include <cmath>

#include "emulator/command_error.h"
#include "emulator/operators/array_parts.h"
#include "wire/compare.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

// Whole numbers of any numeric type.
std::optional<std::int64_t> whole_number(ValueView value) {
  if (value.is(Type::Int32)) return value.as_int32();
  if (value.is(Type::Int64)) return value.as_int64();
  if (!value.is_number()) return std::nullopt;
  double number = value.is(Type::Double) ? value.as_double() : wire::decimal_to_double(value.as_decimal());
  constexpr double bound = 9223372036854775808.0;
  if (number != std::trunc(number) || !(number >= -bound && number < bound)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

std::string type_text(ValueView value) { return std::string(type_name(value.type())); }

bool is_descending(ValueView direction, std::string_view what) {
  std::optional<std::int64_t> number = whole_number(direction);
  if (number != 1 && number != -1) throw CommandError(2, std::string(what) + " value must be either 1 or -1");
  return number == -1;
}

// Of an order by fields; the whole element's are alike in all builds.
std::string_view sort_word(Wording wording) { return wording <= Wording::V5_0 ? "$sort" : "sort"; }

// Elements that are no documents have no fields; a missing field sorts as null.
ValueView key_of(ValueView element, const std::string& path) {
  static constexpr ValueView null(Type::Null, {});
  if (!element.is(Type::Document)) return null;
  ValueView value = element.as_document().find_path(path);
  return value ? value : null;
}

}  // namespace

PushOrder parse_push_order(ValueView value, Wording wording) {
  if (value.is_number()) return {{}, is_descending(value, "The $sort element")};
  if (!value.is(Type::Document))
    throw CommandError(
        2, "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields");
  if (value.as_document().empty())
    throw CommandError(2,
                       fmt::format("The {} pattern is empty when it should be a set of fields.", sort_word(wording)));
  PushOrder order;
  for (const auto& [name, direction] : value.as_document()) {
    bool descending = is_descending(direction, fmt::format("The {} element", sort_word(wording)));
    if (name.empty()) throw CommandError(2, fmt::format("The {} field cannot be empty", sort_word(wording)));
    if (name.starts_with('.') || name.ends_with('.') || name.find("..") != std::string_view::npos)
      throw CommandError(
          2, fmt::format("The {} field is a dotted field but has an empty part: {}", sort_word(wording), name));
    order.keys.push_back({std::string(name), descending});
  }
  return order;
}

bool PushOrder::before(ValueView left, ValueView right) const {
  if (keys.empty()) {
    auto order = wire::compare_values(left, right);
    return descending ? order > 0 : order < 0;
  }
  for (const Key& key : keys) {
    auto order = wire::compare_values(key_of(left, key.path), key_of(right, key.path));
    if (order != 0) return key.descending ? order > 0 : order < 0;
  }
  return false;
}

// The clauses are judged in this order, however they are written.
PushClauses parse_push_clauses(ValueView argument, Wording wording) {
  PushClauses clauses;
  if (!argument.is(Type::Document) || !argument.as_document().has("$each")) {
    clauses.each = {argument};
    return clauses;
  }
  const wire::DocumentView given = argument.as_document();
  for (const auto& [name, value] : given)
    if (name != "$each" && name != "$slice" && name != "$sort" && name != "$position")
      throw CommandError(2, "Unrecognized clause in $push: " + std::string(name));
  if (!given["$each"].is(Type::Array))
    throw CommandError(
        2, "The argument to $each in $push must be an array but it was of type: " + type_text(given["$each"]));
  clauses.each = elements_of(given["$each"]);
  if (const ValueView slice = given["$slice"]) {
    clauses.slice = whole_number(slice);
    if (!clauses.slice)
      throw CommandError(2, "The value for $slice must be an integer value but was given type: " + type_text(slice));
  }
  if (const ValueView order = given["$sort"]) clauses.order = parse_push_order(order, wording);
  if (const ValueView position = given["$position"]) {
    const std::optional<std::int64_t> number = whole_number(position);
    if (!number)
      throw CommandError(2, "The value for $position must be an integer value, not of type: " + type_text(position));
    clauses.position = *number;
  }
  return clauses;
}

}  // namespace emulator
