#include "emulator/specification_paths.h"

#include <fmt/format.h>

#include "emulator/command_error.h"
#include "emulator/expression_parts.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

std::string joined(const std::vector<std::string>& steps) { return fmt::format("{}", fmt::join(steps, ".")); }

}  // namespace

SpecificationPaths::SpecificationPaths(wire::DocumentView spec, Wording wording) : spec_(spec), wording_(wording) {
  if (spec_.empty() && wording_ <= Wording::V4_4)
    throw CommandError(40177, "specification must have at least one field");
  for (const wire::Element& element : spec_) {
    std::vector<std::string> steps = split_field_path(element.name, wording_);
    add(steps, element.value);
  }
}

void SpecificationPaths::add(std::vector<std::string>& steps, wire::ValueView value) {
  const bool nested = value.is(wire::Type::Document) && !is_expression(value.as_document(), steps);
  if (!nested) return add_field(steps, value);
  for (const auto& [name, member] : value.as_document()) {
    if (name.find('.') != std::string_view::npos)
      throw CommandError(40183, fmt::format("cannot use dotted field name '{}' in a sub object: {}", name, shown()));
    steps.push_back(split_field_path(name, wording_).front());
    add(steps, member);
    steps.pop_back();
  }
}

bool SpecificationPaths::is_expression(wire::DocumentView object, const std::vector<std::string>& steps) const {
  if (object.empty())
    throw CommandError(
        40180, fmt::format("an empty object is not a valid value. Found empty object at path {}", joined(steps)));
  bool operators = false;
  for (const wire::Element& element : object) {
    operators |= element.name.starts_with('$');
    // The path that it would end is refused, unless an operator stood before it.
    if (element.name.empty() && !operators) split_field_path(joined(steps) + ".", wording_);
  }
  const std::size_t count = object.count();
  if (operators && count != 1)
    throw CommandError(
        40181,
        fmt::format("an expression specification must contain exactly one field, the name of the expression. Found "
                    "{} fields in {}, while parsing object {}",
                    count, bson_text(object), shown()));
  return operators;
}

void SpecificationPaths::add_field(const std::vector<std::string>& steps, wire::ValueView value) {
  fields_.emplace_back(steps, value);
  const auto collision = paths_.add(steps, ProjectionTree::Leaf::Computed, nullptr);
  if (!collision) return;
  const bool longer = collision->kind == ProjectionTree::Collision::Kind::WithLongerPath;
  const std::string other =
      longer ? collision->longer_path
             : joined({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(collision->prefix_steps)});
  throw CommandError(40176,
                     fmt::format("specification contains two conflicting paths. Cannot specify both '{}' and '{}': {}",
                                 joined(steps), other, shown()));
}

std::string SpecificationPaths::shown() const { return bson_text(spec_); }

}  // namespace emulator
