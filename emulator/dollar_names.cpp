#include "emulator/dollar_names.h"

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

void require_string(std::string_view name, wire::ValueView value) {
  if (!value.is(wire::Type::String))
    refuse_db_ref("The DBRef " + std::string(name) + " field must be a String, not a " +
                  std::string(wire::type_name(value.type())));
}

// A DBRef is {$ref: string, $id: any[, $db: string]}, in this order. `before` is the field to its left; default: none.
void check_prefixed(const wire::Element& element, const wire::Element& before, std::string_view after,
                    const std::string& path) {
  const std::string_view name = element.name;
  if (name == "$db") {
    require_string(name, element.value);
    if (before.name != "$id") refuse_db_ref("Found $db field without a $id before it, which is invalid.");
  } else if (name == "$id") {
    if (before.name != "$ref") refuse_db_ref("Found $id field without a $ref before it, which is invalid.");
  } else if (name == "$ref") {
    require_string(name, element.value);
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
  wire::Element before{};
  const wire::DocumentView fields = value.as_document();
  for (auto at = fields.begin(); at != fields.end();) {
    const wire::Element element = *at;
    ++at;
    const std::string_view after = at == fields.end() ? std::string_view() : at->name;
    if (value.is(wire::Type::Document) && element.name.starts_with('$'))
      check_prefixed(element, before, after, below(path, element.name));
    check_dollar_names(element.value, below(path, element.name));
    before = element;
  }
}

void check_dollar_name(std::string_view name, wire::ValueView value, const std::string& path) {
  if (name.starts_with('$')) check_prefixed({name, value}, {}, {}, path);
  check_dollar_names(value, path);
}

}  // namespace emulator
