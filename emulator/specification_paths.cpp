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

// In the order of the fields: the first that is wrong is what is refused.
void SpecificationPaths::add(std::vector<std::string>& steps, wire::ValueView value) {
  if (!value.is(wire::Type::Document)) return add_field(steps, value);
  const wire::DocumentView object = value.as_document();
  if (object.empty())
    throw CommandError(
        40180, fmt::format("an empty object is not a valid value. Found empty object at path {}", joined(steps)));
  for (const auto& [name, member] : object) {
    if (name.starts_with('$')) {
      require_lone_operator(object);
      return add_field(steps, value);
    }
    if (name.find('.') != std::string_view::npos)
      throw CommandError(40183, fmt::format("cannot use dotted field name '{}' in a sub object: {}", name, shown()));
    steps.push_back(split_field_path(name.empty() ? joined(steps) + "." : std::string(name), wording_).front());
    add(steps, member);
    steps.pop_back();
  }
}

void SpecificationPaths::require_lone_operator(wire::DocumentView object) const {
  const std::size_t count = object.count();
  if (count == 1) return;
  throw CommandError(40181, fmt::format("an expression specification must contain exactly one field, the name of the "
                                        "expression. Found {} fields in {}, while parsing object {}",
                                        count, bson_text(object), shown()));
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
