// $mergeObjects, $objectToArray, $arrayToObject, $getField, $setField, $unsetField, $bsonSize, $binarySize.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/array_builder.h"
#include "emulator/expressions/table.h"
#include "emulator/value_text.h"
#include "wire/document_places.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

std::string_view type_of(ValueView value) { return wire::type_name(value.type()); }

// A document under construction whose fields can be set again, in their first place; one without a value has a place.
class Fields {
 public:
  Fields() = default;
  explicit Fields(wire::DocumentView document) {
    wire::Element field;
    for (wire::PlacedFields fields(document); fields.next(field);) fields_.emplace_back(field.name, field.value);
  }
  void set(std::string_view name, ValueView value) {
    for (auto& [its_name, its_value] : fields_)
      if (its_name == name) {
        its_value = value;
        return;
      }
    fields_.emplace_back(name, value);
  }
  Value finish() const {
    wire::DocumentBuilder out;
    if (!fields_.empty()) out.append({}, wire::change_mark);
    for (const auto& [name, value] : fields_) append_placed(out, name, value);
    return Value::document(out.view());
  }

 private:
  std::vector<std::pair<std::string_view, ValueView>> fields_;
};

Value merge_objects(const Call& call) {
  Fields fields;
  const auto merge = [&](ValueView value) {
    if (value.is_nullish()) return;
    if (!value.is(Type::Document))
      throw CommandError(40400, fmt::format("$mergeObjects requires object inputs, but input {} is of type {}",
                                            expression_text(value), type_of(value)));
    for (const wire::Element& element : value.as_document()) fields.set(element.name, element.value);
  };
  const bool over_elements = call.count() == 1 && call[0].type() == Type::Array;
  if (over_elements)
    for (const wire::Element& element : call[0].view().as_document()) merge(element.value);
  else
    for (const Value& argument : call) merge(argument);
  return fields.finish();
}

Value object_to_array(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Document)
    throw CommandError(40390, fmt::format("$objectToArray requires a document input, found: {}", type_of(call[0])));
  ArrayBuilder out;
  for (const auto& [name, value] : call[0].view().as_document()) {
    wire::DocumentBuilder pair;
    pair.append_string("k", name).append("v", value);
    out.add(Value::document(pair.view()));
  }
  return out.finish();
}

void add_pair(Fields& fields, ValueView pair) {
  const wire::DocumentView document = pair.as_document();
  if (document.count() != 2)
    throw CommandError(40397, fmt::format("$arrayToObject requires an array of size 2 arrays,found array of size: {}",
                                          document.count()));
  if (!document.find("0").is(Type::String))
    throw CommandError(
        40395,
        fmt::format("$arrayToObject requires an array of key-value pairs, where the key must be of type string. Found "
                    "key type: {}",
                    type_of(document.find("0"))));
  fields.set(document.find("0").as_string(), document.find("1"));
}

void add_key_value(Fields& fields, ValueView object) {
  const wire::DocumentView document = object.as_document();
  if (document.count() != 2)
    throw CommandError(
        40392, fmt::format("$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:{}",
                           document.count()));
  const ValueView key = document.find("k");
  const ValueView value = document.find("v");
  if (!key || !value)
    throw CommandError(
        40393,
        fmt::format("$arrayToObject requires an object with keys 'k' and 'v'. Missing either or both keys from: {}",
                    expression_text(object)));
  if (!key.is(Type::String))
    throw CommandError(
        40394,
        fmt::format("$arrayToObject requires an object with keys 'k' and 'v', where the value of 'k' must be of type "
                    "string. Found type: {}",
                    type_of(key)));
  fields.set(key.as_string(), value);
}

Value array_to_object(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Array)
    throw CommandError(40386, fmt::format("$arrayToObject requires an array input, found: {}", type_of(call[0])));
  Fields fields;
  std::optional<Type> form;
  for (const wire::Element& element : call[0].view().as_document()) {
    const Type type = element.value.type();
    if (!form) {
      if (type != Type::Array && type != Type::Document)
        throw CommandError(
            40398, fmt::format("Unrecognised input type format for $arrayToObject: {}", type_of(element.value)));
      form = type;
    }
    if (*form == Type::Array) {
      if (type != Type::Array)
        throw CommandError(
            40396,
            fmt::format("$arrayToObject requires a consistent input format. Elements mustall be arrays or all be "
                        "objects. Array was detected, now found: {}",
                        type_of(element.value)));
      add_pair(fields, element.value);
    } else {
      if (type != Type::Document)
        throw CommandError(
            40391,
            fmt::format("$arrayToObject requires a consistent input format. Elements mustall be arrays or all be "
                        "objects. Object was detected, now found: {}",
                        type_of(element.value)));
      add_key_value(fields, element.value);
    }
  }
  return fields.finish();
}

Value get_field(const Call& call) {
  if (call[1].view().is_nullish()) return call[1].missing() ? Value() : Value::null();
  if (call[1].type() != Type::Document) return {};
  return call[1].view().as_document().find(call[0].view().as_string());
}

// The field's name is fixed when the expression is parsed.
void check_field_name(const ExpressionInput& input, ValueView given, const Expression& parsed, int path_code,
                      int not_constant_code, int not_string_code) {
  const bool as_set_field = input.name == "$unsetField" && input.scope.context.profile->wording >= Wording::V6_0_27;
  const std::string_view name = as_set_field ? "$setField" : input.name;
  if (given.is(Type::String) && given.as_string().starts_with('$') && !given.as_string().starts_with("$$"))
    throw CommandError(
        path_code,
        fmt::format("'$CURRENT.{0}' is a field path reference which is not allowed in this context. Did you mean "
                    "{{$literal: '$CURRENT.{0}'}}?",
                    given.as_string().substr(1)));
  // An array is not folded into a constant yet when this is asked.
  const Value* constant = given.is(Type::Array) ? nullptr : parsed.constant();
  if (constant == nullptr)
    throw CommandError(
        not_constant_code,
        fmt::format("{} requires 'field' to evaluate to a constant, but got a non-constant argument", name));
  if (constant->type() != Type::String)
    throw CommandError(not_string_code, fmt::format("{} requires 'field' to evaluate to type String, but got {}",
                                                    input.name, type_of(*constant)));
}

ExpressionPtr parse_get_field(const ExpressionInput& input) {
  static constexpr NamedArgument names[] = {{"field", 3041702, "$getField requires 'field' to be specified"},
                                            {"input", 3041703, "$getField requires 'input' to be specified"}};
  ValueView field = input.argument;
  std::vector<ExpressionPtr> arguments(2);
  // {$getField: "a"} and {$getField: {$literal: "a"}} read the document itself.
  if (input.argument.is(Type::Document) && !input.argument.as_document().first().name.starts_with('$')) {
    arguments = parse_members(input, names, {3041701, "", 3041701, "$getField found an unknown argument: "});
    field = input.argument.as_document().find("field");
  } else {
    arguments[0] = input.scope.parse(field);
    arguments[1] = input.scope.parse(Value::string("$$CURRENT"));
  }
  check_field_name(input, field, *arguments[0], 5654600, 5654601, 5654602);
  return make_call(input, std::move(arguments), get_field);
}

Value set_field(const Call& call) {
  const ValueView input = call[1];
  if (input.is_nullish()) return Value::null();
  if (!input.is(Type::Document))
    throw CommandError(4161105, fmt::format("{} requires 'input' to evaluate to type Object", "$setField"));
  Fields fields(input.as_document());
  fields.set(call[0].view().as_string(), call[2]);
  return fields.finish();
}

ExpressionPtr parse_set_field(const ExpressionInput& input) {
  const bool unset = input.name == "$unsetField";
  static constexpr NamedArgument set_names[] = {{"field", 4161102, "$setField requires 'field' to be specified"},
                                                {"value", 4161103, "$setField requires 'value' to be specified"},
                                                {"input", 4161109, "$setField requires 'input' to be specified"}};
  static constexpr NamedArgument unset_names[] = {{"field", 4161102, "$unsetField requires 'field' to be specified"},
                                                  {"input", 4161109, "$unsetField requires 'input' to be specified"}};
  const std::string unknown = fmt::format("{} found an unknown argument: ", input.name);
  const NamedErrors errors{4161100, {}, 4161101, unknown};
  std::vector<ExpressionPtr> arguments =
      unset ? parse_members(input, unset_names, errors) : parse_members(input, set_names, errors);
  check_field_name(input, input.argument.as_document().find("field"), *arguments[0], 4161108, 4161106, 4161107);
  if (unset)
    arguments.push_back(make_constant({}));
  else
    std::swap(arguments[1], arguments[2]);  // the input is evaluated before the value
  return make_call(input, std::move(arguments), set_field, Arguments::InTurn);
}

Value bson_size(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() != Type::Document)
    throw CommandError(31393, fmt::format("$bsonSize requires a document input, found: {}", type_of(call[0])));
  return Value::int32(
      static_cast<std::int32_t>(wire::without_places(wire::Document(call[0].view().as_document())).size()));
}

Value binary_size(const Call& call) {
  if (call[0].view().is_nullish()) return Value::null();
  if (call[0].type() == Type::String) return Value::int32(static_cast<std::int32_t>(call[0].view().as_string().size()));
  if (call[0].type() == Type::Binary)
    return Value::int32(static_cast<std::int32_t>(call[0].view().as_binary().bytes.size()));
  throw CommandError(51276,
                     fmt::format("$binarySize requires a string or BinData argument, found: {}", type_of(call[0])));
}

constexpr ExpressionOperator operators[] = {
    {.name = "$mergeObjects",
     .arguments_max = any_number,
     .evaluate = merge_objects,
     .arguments = Arguments::InTurn,
     .folding = Folding::Neighbours},
    {"$objectToArray", 1, 1, object_to_array},
    {"$arrayToObject", 1, 1, array_to_object},
    {.name = "$getField", .parse = parse_get_field, .wire_version_min = 13, .folding = Folding::Never},
    {.name = "$setField", .parse = parse_set_field, .wire_version_min = 13, .folding = Folding::Never},
    {.name = "$unsetField", .parse = parse_set_field, .wire_version_min = 13, .folding = Folding::Never},
    {.name = "$bsonSize", .arguments_min = 1, .arguments_max = 1, .evaluate = bson_size, .wire_version_min = 9},
    {.name = "$binarySize", .arguments_min = 1, .arguments_max = 1, .evaluate = binary_size, .wire_version_min = 9},
};

}  // namespace

extern constinit const ExpressionSpec object_expression{operators};

}  // namespace emulator
