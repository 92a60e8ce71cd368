#include "emulator/dollar_names.h"

#include <algorithm>

#include "emulator/command_error.h"

namespace emulator {
namespace {

constexpr int dollar_prefixed_field_name = 52;
constexpr int invalid_db_ref = 55;

[[noreturn]] void refuse(std::string_view name, const std::string& path) {
  throw CommandError(dollar_prefixed_field_name, "The dollar ($) prefixed field '" + std::string(name) + "' in '" +
                                                     path + "' is not valid for storage.");
}

[[noreturn]] void refuse_db_ref(const std::string& text) { throw CommandError(invalid_db_ref, text); }

void require_string(std::string_view name, wire::Type type) {
  if (type != wire::Type::String)
    refuse_db_ref("The DBRef " + std::string(name) + " field must be a String, not a " +
                  std::string(wire::type_name(type)));
}

// A DBRef is {$ref: string, $id: any[, $db: string]}, in this order. `before` and `after` are the fields beside it.
void check_prefixed(std::string_view name, wire::Type type, std::string_view before, std::string_view after,
                    const std::string& path) {
  if (name == "$db") {
    require_string(name, type);
    if (before != "$id") refuse_db_ref("Found $db field without a $id before it, which is invalid.");
  } else if (name == "$id") {
    if (before != "$ref") refuse_db_ref("Found $id field without a $ref before it, which is invalid.");
  } else if (name == "$ref") {
    require_string(name, type);
    if (after != "$id") refuse_db_ref("The DBRef $ref field must be followed by a $id field");
  } else {
    refuse(name, path);
  }
}

std::string below(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

}  // namespace

void check_dollar_names(wire::ValueView value, const std::string& path) {
  if (!value.is(wire::Type::Document) && !value.is(wire::Type::Array)) return;
  std::string_view before;
  const wire::DocumentView fields = value.as_document();
  for (auto at = fields.begin(); at != fields.end();) {
    const wire::Element element = *at;
    ++at;
    const std::string_view after = at == fields.end() ? std::string_view() : at->name;
    if (value.is(wire::Type::Document) && element.name.starts_with('$'))
      check_prefixed(element.name, element.value.type(), before, after, below(path, element.name));
    check_dollar_names(element.value, below(path, element.name));
    before = element.name;
  }
}

void check_dollar_names(const EditableValue& value, const std::string& path) {
  const std::vector<EditableValue::Field>* fields = value.taken_apart();
  if (fields == nullptr) return check_dollar_names(value.whole().view(), path);
  std::string_view before;
  for (auto at = fields->begin(); at != fields->end(); ++at) {
    const std::string_view after = at + 1 == fields->end() ? std::string_view() : at[1].name;
    if (value.is_object() && at->name.starts_with('$'))
      check_prefixed(at->name, at->value.type(), before, after, below(path, at->name));
    check_dollar_names(at->value, below(path, at->name));
    before = at->name;
  }
}

void check_dollar_name(std::string_view name, const EditableValue& value, const std::string& path) {
  if (name.starts_with('$')) check_prefixed(name, value.type(), {}, {}, path);
  check_dollar_names(value, path);
}

bool has_dollar_names(wire::ValueView value) {
  if (!value.is(wire::Type::Document) && !value.is(wire::Type::Array)) return false;
  const wire::DocumentView fields = value.as_document();
  return std::any_of(fields.begin(), fields.end(), [](const wire::Element& field) {
    return field.name.starts_with('$') || has_dollar_names(field.value);
  });
}

}  // namespace emulator
