#include "emulator/json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "emulator/number.h"
#include "emulator/regex.h"
#include "emulator/store/match_node.h"
#include "emulator/store/type_set.h"
#include "emulator/utf8_text.h"
#include "emulator/value_text.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;
using Test = std::function<bool(ValueView)>;

constexpr int failed_to_parse = 9, type_mismatch = 14;

struct Keyword {
  const wire::Element& element;
  wire::DocumentView schema;  // the keywords beside it
};

void require_type(const wire::Element& element, Type type, std::string_view words) {
  if (!element.value.is(type))
    throw CommandError(type_mismatch, fmt::format("$jsonSchema keyword '{}' must be {}", element.name, words));
}

JsonSchema nested(const wire::Element& element, std::string_view what) {
  if (!element.value.is(Type::Document)) throw CommandError(type_mismatch, fmt::format("{} must be an object", what));
  return JsonSchema::parse(element.value.as_document());
}

Test of_type(const Keyword& keyword) {
  static constexpr std::pair<std::string_view, std::string_view> names[] = {{"object", "object"}, {"array", "array"},
                                                                            {"number", "number"}, {"string", "string"},
                                                                            {"boolean", "bool"},  {"null", "null"}};
  std::vector<Value> types;
  const auto add = [&](ValueView value) {
    const std::string_view text = value.is(Type::String) ? value.as_string() : std::string_view();
    if (text == "integer")
      throw CommandError(failed_to_parse, "$jsonSchema type 'integer' is not currently supported.");
    for (const auto& [name, bson] : names)
      if (name == text) return types.push_back(Value::string(bson));
    throw CommandError(2, fmt::format("Unknown type name alias: {}", text));
  };
  const ValueView given = keyword.element.value;
  if (given.is(Type::Array))
    for (const wire::Element& each : given.as_document()) add(each.value);
  else
    add(given);
  wire::DocumentBuilder list;
  list.begin_array("types");
  for (const Value& type : types) list.item(type);
  const TypeSet set = TypeSet::parse("type", list.end().finish()["types"]);
  return [set](ValueView value) { return set.contains(value.type()); };
}

Test of_bson_type(const Keyword& keyword) {
  if (keyword.schema.has("type"))
    throw CommandError(failed_to_parse, "Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
  const TypeSet set = TypeSet::parse("bsonType", keyword.element.value);
  return [set](ValueView value) { return set.contains(value.type()); };
}

std::vector<std::string> names_of(const wire::Element& element) {
  if (!element.value.is(Type::Array))
    throw CommandError(type_mismatch, fmt::format("$jsonSchema keyword '{}' must be an array, but found an element of "
                                                  "type {}",
                                                  element.name, wire::type_name(element.value.type())));
  std::vector<std::string> names;
  for (const wire::Element& each : element.value.as_document()) {
    if (!each.value.is(Type::String))
      throw CommandError(type_mismatch,
                         fmt::format("$jsonSchema keyword '{}' must be an array of strings, but found an "
                                     "element of type: {}",
                                     element.name, wire::type_name(each.value.type())));
    names.emplace_back(each.value.as_string());
  }
  if (names.empty())
    throw CommandError(failed_to_parse, fmt::format("$jsonSchema keyword '{}' cannot be an empty array", element.name));
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    throw CommandError(failed_to_parse,
                       fmt::format("$jsonSchema keyword '{}' array cannot contain duplicate values", element.name));
  return names;
}

bool has_all(ValueView object, const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [&](const std::string& name) { return object.as_document().has(name); });
}

Test of_required(const Keyword& keyword) {
  return [names = names_of(keyword.element)](ValueView value) {
    return !value.is(Type::Document) || has_all(value, names);
  };
}

std::vector<std::pair<std::string, JsonSchema>> schemas_by_name(const wire::Element& element) {
  require_type(element, Type::Document, "an object");
  std::vector<std::pair<std::string, JsonSchema>> out;
  for (const wire::Element& each : element.value.as_document())
    out.emplace_back(each.name, nested(each, fmt::format("Nested schema for $jsonSchema property '{}'", each.name)));
  return out;
}

Test of_properties(const Keyword& keyword) {
  return [schemas = schemas_by_name(keyword.element)](ValueView value) {
    return !value.is(Type::Document) || std::ranges::all_of(schemas, [&](const auto& each) {
      const ValueView member = value.as_document()[each.first];
      return member.missing() || each.second.accepts(member);
    });
  };
}

struct PatternSchema {
  Regex regex;
  JsonSchema schema;
};

std::vector<PatternSchema> pattern_schemas(ValueView patterns) {
  std::vector<PatternSchema> out;
  if (!patterns.is(Type::Document)) return out;
  for (const wire::Element& each : patterns.as_document())
    out.push_back(
        {Regex(each.name, ""), nested(each, fmt::format("$jsonSchema keyword 'patternProperties' has property "
                                                        "'{}' which",
                                                        each.name))});
  return out;
}

Test of_pattern_properties(const Keyword& keyword) {
  require_type(keyword.element, Type::Document, "an object");
  return [schemas = pattern_schemas(keyword.element.value)](ValueView value) {
    if (!value.is(Type::Document)) return true;
    for (const wire::Element& member : value.as_document())
      for (const PatternSchema& each : schemas)
        if (each.regex.matches(member.name) && !each.schema.accepts(member.value)) return false;
    return true;
  };
}

// A bool, or a schema.
struct Rest {
  bool allowed = true;
  JsonSchema schema;
  bool accepts(ValueView value) const { return allowed && schema.accepts(value); }
};
Rest rest_of(const wire::Element& element) {
  if (element.value.is(Type::Bool)) return {element.value.as_bool(), {}};
  if (!element.value.is(Type::Document))
    throw CommandError(type_mismatch,
                       fmt::format("$jsonSchema keyword '{}' must be either an object or a boolean, but got a {}",
                                   element.name, wire::type_name(element.value.type())));
  return {true, JsonSchema::parse(element.value.as_document())};
}

Test of_additional_properties(const Keyword& keyword) {
  std::set<std::string, std::less<>> named;
  if (const ValueView properties = keyword.schema["properties"]; properties.is(Type::Document))
    for (const wire::Element& each : properties.as_document()) named.emplace(each.name);
  return [named, patterns = pattern_schemas(keyword.schema["patternProperties"]),
          rest = rest_of(keyword.element)](ValueView value) {
    if (!value.is(Type::Document)) return true;
    for (const wire::Element& member : value.as_document()) {
      const bool known = named.contains(member.name) || std::ranges::any_of(patterns, [&](const PatternSchema& each) {
                           return each.regex.matches(member.name);
                         });
      if (!known && !rest.accepts(member.value)) return false;
    }
    return true;
  };
}

enum class Bound { Minimum, Maximum };

template <Bound bound>
Test of_bound(const Keyword& keyword) {
  const wire::Element& element = keyword.element;
  if (!element.value.is_number())
    throw CommandError(type_mismatch, fmt::format("$jsonSchema keyword '{}' must be a number", element.name));
  const ValueView exclusive = keyword.schema[bound == Bound::Minimum ? "exclusiveMinimum" : "exclusiveMaximum"];
  const bool open = exclusive.is(Type::Bool) && exclusive.as_bool();
  return [limit = Value(element.value), open](ValueView value) {
    if (!value.is_number()) return true;
    const auto order = wire::compare_values(value, limit);
    if (order == 0) return !open;
    return bound == Bound::Minimum ? order > 0 : order < 0;
  };
}

Test of_multiple(const Keyword& keyword) {
  const wire::Element& element = keyword.element;
  if (!element.value.is_number())
    throw CommandError(type_mismatch, fmt::format("$jsonSchema keyword '{}' must be a number", element.name));
  if (to_double(element.value) <= 0)
    throw CommandError(failed_to_parse,
                       fmt::format("$jsonSchema keyword '{}' must have a positive value", element.name));
  return [by = to_decimal(element.value)](ValueView value) {
    return !value.is_number() || wire::is_zero(wire::modulo(to_decimal(value), by));
  };
}

std::size_t size_of(const wire::Element& element) {
  return static_cast<std::size_t>(whole_number(element, Whole::NonNegative, Wording::V6_0, failed_to_parse));
}

std::size_t text_size(ValueView value) { return code_point_count(value.as_string()); }
std::size_t member_count(ValueView value) { return value.as_document().count(); }

template <Type type, std::size_t (*measure)(ValueView), Bound bound>
Test of_size(const Keyword& keyword) {
  return [limit = size_of(keyword.element)](ValueView value) {
    if (!value.is(type)) return true;
    return bound == Bound::Minimum ? measure(value) >= limit : measure(value) <= limit;
  };
}

Test of_pattern(const Keyword& keyword) {
  require_type(keyword.element, Type::String, "a string");
  return [regex = Regex(keyword.element.value.as_string(), "")](ValueView value) {
    return !value.is(Type::String) || regex.matches(value.as_string());
  };
}

Test of_unique_items(const Keyword& keyword) {
  require_type(keyword.element, Type::Bool, "a boolean");
  return [wanted = keyword.element.value.as_bool()](ValueView value) {
    if (!wanted || !value.is(Type::Array)) return true;
    std::set<Value, wire::ValueLess> seen;
    return std::ranges::all_of(value.as_document(),
                               [&](const wire::Element& each) { return seen.insert(Value(each.value)).second; });
  };
}

// One schema for all elements, or one for each of the first.
Test of_items(const Keyword& keyword) {
  const ValueView given = keyword.element.value;
  std::vector<JsonSchema> each;
  if (given.is(Type::Array))
    for (const wire::Element& element : given.as_document())
      each.push_back(nested(element,
                            "$jsonSchema keyword 'items' requires that each element of the array is an object, "
                            "which"));
  else
    each.push_back(nested(keyword.element, "$jsonSchema keyword 'items'"));
  return [each, all = !given.is(Type::Array)](ValueView value) {
    if (!value.is(Type::Array)) return true;
    std::size_t index = 0;
    for (const wire::Element& element : value.as_document()) {
      const std::size_t at = all ? 0 : index++;
      if (at < each.size() && !each[at].accepts(element.value)) return false;
    }
    return true;
  };
}

Test of_additional_items(const Keyword& keyword) {
  const ValueView items = keyword.schema["items"];
  const std::size_t named = items.is(Type::Array) ? items.as_document().count() : SIZE_MAX;
  return [named, rest = rest_of(keyword.element)](ValueView value) {
    if (!value.is(Type::Array)) return true;
    std::size_t index = 0;
    for (const wire::Element& element : value.as_document())
      if (index++ >= named && !rest.accepts(element.value)) return false;
    return true;
  };
}

std::vector<JsonSchema> schema_list(const wire::Element& element) {
  if (!element.value.is(Type::Array))
    throw CommandError(type_mismatch, fmt::format("$jsonSchema keyword '{}' must be an array", element.name));
  std::vector<JsonSchema> out;
  for (const wire::Element& each : element.value.as_document())
    out.push_back(nested(
        each, fmt::format("$jsonSchema keyword '{}' must be an array of objects, but an element", element.name)));
  if (out.empty())
    throw CommandError(2, fmt::format("$jsonSchema keyword '{}' must be a non-empty array", element.name));
  return out;
}

enum class Needed { All, Any, One };

template <Needed needed>
Test of_schemas(const Keyword& keyword) {
  return [schemas = schema_list(keyword.element)](ValueView value) {
    const auto accepting = std::ranges::count_if(schemas, [&](const JsonSchema& each) { return each.accepts(value); });
    if (needed == Needed::Any) return accepting > 0;
    return accepting == (needed == Needed::All ? std::ssize(schemas) : 1);
  };
}
Test of_not(const Keyword& keyword) {
  return [schema = nested(keyword.element, "$jsonSchema keyword 'not'")](ValueView value) {
    return !schema.accepts(value);
  };
}

Test of_enumeration(const Keyword& keyword) {
  const wire::Element& element = keyword.element;
  if (!element.value.is(Type::Array))
    throw CommandError(type_mismatch, "$jsonSchema keyword 'enum' must be an array, but found " +
                                          std::string(wire::type_name(element.value.type())));
  std::vector<Value> values;
  for (const wire::Element& each : element.value.as_document()) values.emplace_back(each.value);
  if (values.empty()) throw CommandError(failed_to_parse, "$jsonSchema keyword 'enum' cannot be an empty array");
  return [values](ValueView value) {
    return std::ranges::any_of(values, [&](const Value& each) { return wire::equal_values(each, value); });
  };
}

Test of_dependencies(const Keyword& keyword) {
  require_type(keyword.element, Type::Document, "an object");
  std::vector<std::pair<std::string, Test>> tests;
  for (const wire::Element& each : keyword.element.value.as_document()) {
    if (each.value.is(Type::Document)) {
      tests.emplace_back(each.name, [schema = JsonSchema::parse(each.value.as_document())](ValueView value) {
        return schema.accepts(value);
      });
    } else {
      tests.emplace_back(each.name, [names = names_of(each)](ValueView value) { return has_all(value, names); });
    }
  }
  return [tests](ValueView value) {
    return !value.is(Type::Document) || std::ranges::all_of(tests, [&](const auto& each) {
      return !value.as_document().has(each.first) || each.second(value);
    });
  };
}

// They say something about the keyword beside them, or nothing.
Test of_nothing(const Keyword& keyword) {
  const bool text = keyword.element.name == "title" || keyword.element.name == "description";
  require_type(keyword.element, text ? Type::String : Type::Bool, text ? "of type string" : "a boolean");
  return [](ValueView) { return true; };
}

constexpr std::pair<std::string_view, Test (*)(const Keyword&)> keywords[] = {
    {"additionalItems", of_additional_items},
    {"additionalProperties", of_additional_properties},
    {"allOf", of_schemas<Needed::All>},
    {"anyOf", of_schemas<Needed::Any>},
    {"bsonType", of_bson_type},
    {"dependencies", of_dependencies},
    {"description", of_nothing},
    {"enum", of_enumeration},
    {"exclusiveMaximum", of_nothing},
    {"exclusiveMinimum", of_nothing},
    {"items", of_items},
    {"maximum", of_bound<Bound::Maximum>},
    {"maxItems", of_size<Type::Array, member_count, Bound::Maximum>},
    {"maxLength", of_size<Type::String, text_size, Bound::Maximum>},
    {"maxProperties", of_size<Type::Document, member_count, Bound::Maximum>},
    {"minimum", of_bound<Bound::Minimum>},
    {"minItems", of_size<Type::Array, member_count, Bound::Minimum>},
    {"minLength", of_size<Type::String, text_size, Bound::Minimum>},
    {"minProperties", of_size<Type::Document, member_count, Bound::Minimum>},
    {"multipleOf", of_multiple},
    {"not", of_not},
    {"oneOf", of_schemas<Needed::One>},
    {"pattern", of_pattern},
    {"patternProperties", of_pattern_properties},
    {"properties", of_properties},
    {"required", of_required},
    {"title", of_nothing},
    {"type", of_type},
    {"uniqueItems", of_unique_items},
};
// Of draft 4; mongod does not take them either.
constexpr std::string_view unsupported[] = {"$ref", "$schema", "default", "definitions", "format", "id"};

Test parse_keyword(const Keyword& keyword) {
  const std::string_view name = keyword.element.name;
  for (const auto& [known, parse] : keywords)
    if (known == name) return parse(keyword);
  if (std::ranges::find(unsupported, name) != std::end(unsupported))
    throw CommandError(failed_to_parse, fmt::format("$jsonSchema keyword '{}' is not currently supported", name));
  if (name == "encrypt" || name == "encryptMetadata") not_built(fmt::format("the $jsonSchema keyword {}", name));
  throw CommandError(failed_to_parse, fmt::format("Unknown $jsonSchema keyword: {}", name));
}

}  // namespace

JsonSchema JsonSchema::parse(wire::DocumentView schema) {
  JsonSchema made;
  for (const wire::Element& element : schema) made.tests_.push_back(parse_keyword({element, schema}));
  return made;
}

bool JsonSchema::accepts(wire::ValueView value) const {
  return std::ranges::all_of(tests_, [&](const Test& test) { return test(value); });
}

}  // namespace emulator
