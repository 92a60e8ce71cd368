#include "emulator/store/sort.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "emulator/collation.h"
#include "emulator/command_error.h"
#include "emulator/expression_parts.h"
#include "emulator/store/index.h"
#include "emulator/value_text.h"
#include "wire/compare.h"
#include "wire/decimal.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

double number(ValueView value) {
  switch (value.type()) {
    case Type::Int32:
      return value.as_int32();
    case Type::Int64:
      return static_cast<double>(value.as_int64());
    case Type::Double:
      return value.as_double();
    default:
      return wire::decimal_to_double(value.as_decimal());
  }
}

// Every value an index would hold for the path: elements instead of arrays, undefined for an empty one, null for what is missing.
void add_keys(ValueView value, std::span<const std::string> steps, std::vector<ValueView>& out);

// A number in the path is an index of the array, unless one of its documents has a field of that name: then it could be either.
void check_unambiguous(ValueView array, std::string_view index) {
  for (const wire::Element& element : array.as_document())
    if (element.value.is(Type::Document) && element.value.as_document().has(index))
      throw CommandError(
          16746,
          fmt::format("Ambiguous field name found in array (do not use numeric field names in embedded elements in an "
                      "array), field: '{}' for array: {}",
                      index, bson_text(array.as_document())));
}

void add_keys_of_array(ValueView array, std::span<const std::string> steps, std::vector<ValueView>& out) {
  static const Value null = Value::null();
  if (!steps.empty())
    if (const ValueView element = array.as_document().find(steps[0])) {
      check_unambiguous(array, steps[0]);
      // At the path's end the element is the key, even if it is an array; an empty one is undefined.
      const bool is_empty_array = element.is(Type::Array) && element.as_document().empty();
      if (steps.size() == 1) return out.push_back(is_empty_array ? ValueView(Type::Undefined, {}) : element);
      return add_keys(element, steps.subspan(1), out);
    }
  bool any = false;
  for (const wire::Element& element : array.as_document()) {
    any = true;
    if (steps.empty())
      out.push_back(element.value);
    else if (element.value.is(Type::Document))
      add_keys(element.value, steps, out);
    else
      out.push_back(null);
  }
  if (!any) out.push_back(steps.empty() ? ValueView(Type::Undefined, {}) : null.view());
}

void add_keys(ValueView value, std::span<const std::string> steps, std::vector<ValueView>& out) {
  static const Value null = Value::null();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (value.is(Type::Array)) return add_keys_of_array(value, steps.subspan(i), out);
    if (!value.is(Type::Document)) return out.push_back(null);
    value = value.as_document().find(steps[i]);
  }
  if (value.is(Type::Array)) return add_keys_of_array(value, {}, out);
  out.push_back(value ? value : null.view());
}

}  // namespace

SortPattern SortPattern::parse(wire::DocumentView spec, Wording wording, CollationPtr collation) {
  SortPattern made;
  made.collation_ = std::move(collation);
  if (const ValueView natural = spec.find("$natural")) {
    if (spec.count() > 1)
      throw CommandError(2, fmt::format("Cannot include '$natural' in compound sort: {}", bson_text(spec)));
    made.natural_ = natural.is_number() && number(natural) < 0 ? NaturalOrder::Backward : NaturalOrder::Forward;
    return made;
  }
  for (const wire::Element& element : spec) {
    std::vector<std::string> steps = split_field_path(element.name, wording);
    if (element.value.is(Type::Document)) {
      if (element.value.as_document().first().name != "$meta")
        throw CommandError(17312, "$meta is the only expression supported by $sort right now");
      not_built("sorting by $meta");
    }
    if (!element.value.is_number())
      throw CommandError(15974, fmt::format("Illegal key in $sort specification: {}", bson_text(element)));
    const double direction = std::trunc(number(element.value));
    if (direction != 1 && direction != -1)
      throw CommandError(15975, "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    made.parts_.push_back(
        {std::string(element.name), std::move(steps), direction > 0 ? Direction::Ascending : Direction::Descending});
  }
  return made;
}

// Only documents with arrays below two of the fields can have parallel ones.
void SortPattern::check_arrays(wire::DocumentView document) const {
  std::vector<std::string_view> paths;
  for (const Part& part : parts_) {
    const ValueView value = document.find(part.steps.front());
    if (value.is(Type::Array) || value.is(Type::Document)) paths.push_back(part.path);
  }
  if (paths.size() > 1 && has_parallel_arrays(document, paths)) throw SortFailure();
}

std::vector<Value> SortPattern::key(wire::DocumentView document) const {
  if (parts_.size() > 1) check_arrays(document);
  std::vector<Value> key;
  key.reserve(parts_.size());
  std::vector<ValueView> candidates;
  for (const Part& part : parts_) {
    candidates.clear();
    add_keys(ValueView(Type::Document, document.bytes()), part.steps, candidates);
    std::vector<Value> collated;
    if (collation_) {
      for (const ValueView candidate : candidates) collated.push_back(collation_->key(candidate));
      candidates.assign(collated.begin(), collated.end());
    }
    const auto best = part.direction == Direction::Ascending
                          ? std::min_element(candidates.begin(), candidates.end(), wire::ValueLess{})
                          : std::max_element(candidates.begin(), candidates.end(), wire::ValueLess{});
    key.emplace_back(*best);
  }
  return key;
}

std::weak_ordering SortPattern::compare_keys(const std::vector<Value>& left, const std::vector<Value>& right) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::weak_ordering order = wire::compare_values(left[i], right[i]);
    if (order != 0) return parts_[i].direction == Direction::Ascending ? order : 0 <=> order;
  }
  return std::weak_ordering::equivalent;
}

void SortPattern::sort(std::vector<wire::Document>& documents) const {
  if (natural_ == NaturalOrder::Backward) std::reverse(documents.begin(), documents.end());
  if (parts_.empty()) return;
  struct Keyed {
    std::vector<Value> key;
    wire::Document document;
  };
  std::vector<Keyed> keyed;
  keyed.reserve(documents.size());
  for (wire::Document& document : documents) {
    std::vector<Value> its_key = key(document);
    keyed.push_back({std::move(its_key), std::move(document)});
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [this](const Keyed& left, const Keyed& right) { return compare_keys(left.key, right.key) < 0; });
  documents.clear();
  for (Keyed& each : keyed) documents.push_back(std::move(each.document));
}

}  // namespace emulator
