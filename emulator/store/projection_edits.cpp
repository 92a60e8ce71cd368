#include "emulator/store/projection_edits.h"

#include <algorithm>
#include <functional>
#include <span>

#include "emulator/arguments.h"
#include "emulator/array_builder.h"
#include "emulator/command_error.h"
#include "emulator/expression_parts.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::optional<std::int64_t> number(ValueView value) {
  if (!value.is_number()) return std::nullopt;
  return std::clamp<std::int64_t>(whole_number(value), INT32_MIN, INT32_MAX);
}

Value sliced(ValueView array, const SliceEdit& edit) {
  const auto count = static_cast<std::int64_t>(array.as_document().count());
  std::int64_t first = 0;
  std::int64_t limit = edit.limit;
  if (edit.skip) {
    first = *edit.skip < 0 ? std::max<std::int64_t>(0, count + *edit.skip) : *edit.skip;
  } else if (limit < 0) {
    first = std::max<std::int64_t>(0, count + limit);
    limit = -limit;
  }
  ArrayBuilder out;
  std::int64_t index = 0;
  for (const wire::Element& element : array.as_document()) {
    if (index >= first && index < first + limit) out.add(element.value);
    ++index;
  }
  return out.finish();
}

// Where an array in the middle of a path is met: entered, or edited itself.
enum class ArraysOnTheWay { Entered, Edited };

using EditArray = std::function<Value(ValueView)>;

wire::Document edit_at(wire::DocumentView document, std::span<const std::string> steps, ArraysOnTheWay arrays,
                       const EditArray& edit);

Value edit_value(ValueView value, std::span<const std::string> rest, ArraysOnTheWay arrays, const EditArray& edit) {
  if (value.is(Type::Array)) {
    if (rest.empty() || arrays == ArraysOnTheWay::Edited) return edit(value);
    ArrayBuilder out;
    for (const wire::Element& element : value.as_document()) out.add(edit_value(element.value, rest, arrays, edit));
    return out.finish();
  }
  if (value.is(Type::Document) && !rest.empty())
    return Value::document(edit_at(value.as_document(), rest, arrays, edit));
  return value;
}

wire::Document edit_at(wire::DocumentView document, std::span<const std::string> steps, ArraysOnTheWay arrays,
                       const EditArray& edit) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : document)
    out.append(name, name == steps[0] ? edit_value(value, steps.subspan(1), arrays, edit) : Value(value));
  return out.finish();
}

}  // namespace

std::optional<SliceEdit> slice_edit(ValueView argument, const std::string& path, std::string& refusal) {
  if (const auto limit = number(argument)) return SliceEdit{path, std::nullopt, *limit};
  refusal = "Location31273: $slice only supports numbers and [skip, limit] arrays";
  if (!argument.is(Type::Array)) return std::nullopt;
  refusal = "Location31272: $slice array argument should be of form [skip, limit]";
  if (argument.as_document().count() != 2) return std::nullopt;
  const auto skip = number(argument.as_document().find("0"));
  const auto limit = number(argument.as_document().find("1"));
  if (!skip || !limit || *limit <= 0) return std::nullopt;
  return SliceEdit{path, *skip, *limit};
}

wire::Document ProjectionEdits::apply(const wire::Document& out, const wire::Document& document,
                                      const Matcher* filter) const {
  wire::Document edited = out;
  if (positional) {
    const std::optional<std::size_t> position = filter ? filter->matched_position(document) : std::nullopt;
    if (!position) throw CommandError(51246, "positional operator '.$' couldn't find a matching element in the array");
    edited = edit_at(edited, path_steps(*positional), ArraysOnTheWay::Edited, [&](ValueView array) {
      const ValueView element = array.as_document().find(std::to_string(*position));
      if (!element) throw CommandError(51247, "positional operator '.$' element mismatch");
      return ArrayBuilder().add(element).finish();
    });
  }
  for (const SliceEdit& slice : slices)
    edited = edit_at(edited, path_steps(slice.path), ArraysOnTheWay::Entered,
                     [&](ValueView array) { return sliced(array, slice); });
  return edited;
}

}  // namespace emulator
