// $fill: with values, an $addFields of what is missing or null. Its methods need $setWindowFields, which is not built.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/stages/composed_stage.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

void check_fields(wire::DocumentView spec) {
  static constexpr std::string_view known[] = {"sortBy", "partitionBy", "partitionByFields", "output"};
  for (const wire::Element& element : spec)
    if (std::ranges::find(known, element.name) == std::end(known))
      throw CommandError(40415, fmt::format("BSON field '$fill.{}' is an unknown field.", element.name));
}

void check_method(ValueView method) {
  if (!method.is(Type::String))
    throw CommandError(14, fmt::format("BSON field '$fill.method' is the wrong type '{}', expected type 'string'",
                                       wire::type_name(method.type())));
  if (method.as_string() != "locf" && method.as_string() != "linear")
    throw CommandError(6050202, "Method must be either locf or linear");
  not_built(fmt::format("$fill by {}", method.as_string()));
}

// {field: {$ifNull: ["$field", value]}}; nothing for an output that says nothing.
void append_filled(wire::DocumentBuilder& out, const wire::Element& field) {
  if (!field.value.is(Type::Document) || field.value.as_document().count() > 2)
    throw CommandError(6050200, "Each fill output specification must be an object with exactly one field");
  const wire::DocumentView how = field.value.as_document();
  for (const wire::Element& element : how)
    if (element.name != "value" && element.name != "method")
      throw CommandError(40415, fmt::format("BSON field '$fill.{}' is an unknown field.", element.name));
  if (how.count() == 2)
    throw CommandError(6050201,
                       "Each fill output specification must have exactly one of 'method' or 'value' fields, not both");
  if (const ValueView method = how["method"]) check_method(method);
  if (how.empty()) return;
  out.begin_document(field.name).begin_array("$ifNull");
  out.item(wire::Value::string("$" + std::string(field.name))).item(how["value"]).end().end();
}

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(Type::Document))
    throw CommandError(9, fmt::format("The $fill stage specification must be an object, found {}",
                                      wire::type_name(input.argument.type())));
  const wire::DocumentView spec = input.argument.as_document();
  check_fields(spec);
  const ValueView output = spec["output"];
  if (output.missing()) throw CommandError(40414, "BSON field '$fill.output' is missing but a required field");
  if (!output.is(Type::Document))
    throw CommandError(14, fmt::format("BSON field '$fill.output' is the wrong type '{}', expected type 'object'",
                                       wire::type_name(output.type())));
  if (output.as_document().empty())
    throw CommandError(6050203, "The output field in '$fill' must contain an object with at least one element");
  wire::DocumentBuilder out;
  out.begin_array("stages").begin_document(out.item_name()).begin_document("$addFields");
  for (const wire::Element& field : output.as_document()) append_filled(out, field);
  const wire::Document stages = out.end().end().end().finish();
  return std::make_unique<ComposedStage>(stages["stages"].as_document(), input);
}

bool known(const ParseContext& context) { return context.profile->max_wire_version >= 14; }  // 5.1

constexpr StageName names[] = {
    {.name = "$fill", .parse = parse, .after_change_stream = AfterChangeStream::Allowed, .known = known}};

}  // namespace

extern constinit const StageSpec fill_stage{names};

}  // namespace emulator
