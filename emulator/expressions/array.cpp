// $size, $arrayElemAt, $first, $last, $slice, $concatArrays, $in, $range, $reverseArray, $isArray, $indexOfArray.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/number.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

std::vector<ValueView> elements_of(ValueView array) {
  std::vector<ValueView> out;
  for (const wire::Element& element : array.as_document()) out.push_back(element.value);
  return out;
}

Value size(const Call& call) {
  if (call[0].type() != Type::Array)
    throw CommandError(17124,
                       fmt::format("The argument to $size must be an array, but was of type: {}", type_of(call[0])));
  return Value::int32(static_cast<std::int32_t>(call[0].view().as_document().count()));
}

Value element_at(ValueView array, std::int64_t index) {
  const std::vector<ValueView> elements = elements_of(array);
  if (index < 0) index += static_cast<std::int64_t>(elements.size());
  if (index < 0 || index >= static_cast<std::int64_t>(elements.size())) return {};
  return elements[static_cast<std::size_t>(index)];
}

Value array_elem_at(const Call& call) {
  if (call[0].view().is_nullish() || call[1].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(28689,
                       fmt::format("$arrayElemAt's first argument must be an array, but is {}", type_of(call[0])));
  if (!call[1].view().is_number())
    throw CommandError(
        28690, fmt::format("$arrayElemAt's second argument must be a numeric value, but is {}", type_of(call[1])));
  const std::optional<std::int32_t> index = exact_int32(call[1]);
  if (!index)
    throw CommandError(28691,
                       fmt::format("$arrayElemAt's second argument must be representable as a 32-bit integer: {}",
                                   expression_text(call[1])));
  return element_at(call[0], *index);
}

Value end_element(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(28689, fmt::format("{}'s argument must be an array, but is {}", call.name, type_of(call[0])));
  return element_at(call[0], call.name == "$first" ? 0 : -1);
}

std::int32_t slice_number(ValueView value, std::string_view which, int not_numeric_code) {
  if (!value.is_number())
    throw CommandError(not_numeric_code, fmt::format("{} argument to $slice must be {}, but is of type: {}", which,
                                                     which == "Third" ? "numeric" : "a numeric value", type_of(value)));
  const std::optional<std::int32_t> number = exact_int32(value);
  if (!number)
    throw CommandError(not_numeric_code + 1,
                       fmt::format("{} argument to $slice can't be represented as a 32-bit integer: {}", which,
                                   expression_text(value)));
  return *number;
}

Value slice(const Call& call) {
  // Both are evaluated before either is judged, the third after that.
  const ValueView array = call[0];
  const ValueView second = call[1];
  if (array.is_nullish() || second.is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(28724,
                       fmt::format("First argument to $slice must be an array, but is of type: {}", type_of(call[0])));
  const std::vector<ValueView> elements = elements_of(call[0]);
  const auto count = static_cast<std::int64_t>(elements.size());
  const std::int64_t position = slice_number(call[1], "Second", 28725);
  if (call.count() == 3 && call[2].view().is_nullish()) return Value::null();
  std::int64_t begin = 0;
  std::int64_t end = count;
  if (call.count() == 2) {
    if (position >= 0)
      end = std::min(count, position);
    else
      begin = std::max<std::int64_t>(0, count + position);
  } else {
    begin = position < 0 ? std::max<std::int64_t>(0, count + position) : std::min(count, position);
    const std::int64_t limit = slice_number(call[2], "Third", 28727);
    if (limit <= 0)
      throw CommandError(28729, fmt::format("Third argument to $slice must be positive: {}", expression_text(call[2])));
    end = std::min(count, begin + limit);
  }
  ArrayBuilder out;
  for (std::int64_t i = begin; i < end; ++i) out.add(elements[static_cast<std::size_t>(i)]);
  return out.finish();
}

Value concat_arrays(const Call& call) {
  ArrayBuilder out;
  for (const Value& argument : call) {
    if (argument.view().is_nullish()) return Value::null();
    if (argument.type() != Type::Array)
      throw CommandError(28664, fmt::format("$concatArrays only supports arrays, not {}", type_of(argument)));
    for (const wire::Element& element : argument.view().as_document()) out.add(element.value);
  }
  return out.finish();
}

Value in(const Call& call) {
  if (call[1].type() != Type::Array)
    throw CommandError(40081, fmt::format("$in requires an array as a second argument, found: {}", type_of(call[1])));
  for (const wire::Element& element : call[1].view().as_document())
    if (wire::equal_values(element.value, call[0])) return Value::boolean(true);
  return Value::boolean(false);
}

Value index_of_array(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(40090,
                       fmt::format("$indexOfArray requires an array as a first argument, found: {}", type_of(call[0])));
  const std::vector<ValueView> elements = elements_of(call[0]);
  const auto bound = [&](std::size_t i, std::string_view which) -> std::size_t {
    const std::optional<std::int32_t> number = exact_int32(call[i]);
    if (!number)
      throw CommandError(
          40096, fmt::format("$indexOfArrayrequires an integral {} index, found a value of type: {}, with value: {}",
                             which, type_of(call[i]), expression_text(call[i])));
    if (*number < 0)
      throw CommandError(40097,
                         fmt::format("$indexOfArray requires a nonnegative {} index, found: {}", which, *number));
    return static_cast<std::size_t>(*number);
  };
  // The value that is looked for is evaluated last.
  const std::size_t begin = call.count() > 2 ? bound(2, "starting") : 0;
  const std::size_t end = std::min(elements.size(), call.count() > 3 ? bound(3, "ending") : elements.size());
  const ValueView wanted = call[1];
  for (std::size_t i = begin; i < end; ++i)
    if (wire::equal_values(elements[i], wanted)) return Value::int32(static_cast<std::int32_t>(i));
  return Value::int32(-1);
}

std::int32_t range_number(ValueView value, std::string_view which, int code) {
  if (!value.is_number())
    throw CommandError(code, fmt::format("$range requires a numeric {} value, found value of type:{}{}", which,
                                         which == "step" ? "" : " ", type_of(value)));
  const std::optional<std::int32_t> number = exact_int32(value);
  if (!number)
    throw CommandError(
        code + 1,
        fmt::format("$range requires {} {} value that can be represented as a 32-bit integer, found value: {}",
                    which == "ending" ? "an" : "a", which, expression_text(value)));
  return *number;
}

Value range(const Call& call) {
  // Both are evaluated before either is judged, the step after that.
  const ValueView first = call[0];
  const ValueView last = call[1];
  const std::int64_t begin = range_number(first, "starting", 34443);
  const std::int64_t end = range_number(last, "ending", 34445);
  const std::int64_t step = call.count() > 2 ? range_number(call[2], "step", 34447) : 1;
  if (step == 0) throw CommandError(34449, "$range requires a non-zero step value");
  ArrayBuilder out;
  for (std::int64_t i = begin; step > 0 ? i < end : i > end; i += step)
    out.add(Value::int32(static_cast<std::int32_t>(i)));
  return out.finish();
}

Value reverse_array(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(
        34435, fmt::format("The argument to $reverseArray must be an array, but was of type: {}", type_of(call[0])));
  std::vector<ValueView> elements = elements_of(call[0]);
  std::reverse(elements.begin(), elements.end());
  ArrayBuilder out;
  for (const ValueView element : elements) out.add(element);
  return out.finish();
}

constexpr ExpressionOperator operators[] = {
    {"$size", 1, 1, size},
    {"$arrayElemAt", 2, 2, array_elem_at},
    {.name = "$first", .arguments_min = 1, .arguments_max = 1, .evaluate = end_element, .wire_version_min = 9},
    {.name = "$last", .arguments_min = 1, .arguments_max = 1, .evaluate = end_element, .wire_version_min = 9},
    {"$slice", 2, 3, slice, nullptr, Arguments::InTurn},
    {.name = "$concatArrays",
     .arguments_max = any_number,
     .evaluate = concat_arrays,
     .arguments = Arguments::InTurn,
     .folding = Folding::Neighbours},
    {"$in", 2, 2, in, nullptr, Arguments::AllFirst, 0, UnderCollation::ByKeys},
    {"$range", 2, 3, range, nullptr, Arguments::InTurn},
    {"$reverseArray", 1, 1, reverse_array},
    {"$isArray", 1, 1, [](const Call& call) { return Value::boolean(call[0].type() == Type::Array); }},
    {"$indexOfArray", 2, 4, index_of_array, nullptr, Arguments::InTurn, 0, UnderCollation::ByKeys},
};

}  // namespace

extern constinit const ExpressionSpec array_expression{operators};

}  // namespace emulator
