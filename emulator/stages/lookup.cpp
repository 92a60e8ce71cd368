// $lookup: by fields, by a pipeline, or by both.
#include <fmt/format.h>

#include "emulator/array_builder.h"
#include "emulator/expression_parts.h"
#include "emulator/foreign_pipeline.h"
#include "emulator/nested_field.h"
#include "emulator/stages/source_stage.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

struct Variable {
  std::string name;
  ExpressionPtr expression;
};

struct FieldJoin {
  std::vector<std::string> local;
  std::string foreign;
};

// What a local path joins by: all values on it, arrays entered on the way and at its end.
void collect(ValueView value, std::span<const std::string> steps, std::vector<ValueView>& out) {
  if (value.is(Type::Array)) {
    for (const wire::Element& element : value.as_document())
      if (steps.empty())
        out.push_back(element.value);
      else if (element.value.is(Type::Document))
        collect(element.value, steps, out);
    return;
  }
  if (steps.empty()) {
    if (value) out.push_back(value);
  } else if (value.is(Type::Document)) {
    collect(value.as_document().find(steps[0]), steps.subspan(1), out);
  }
}

// {$or: [{foreign: {$eq: value}}, …]}; what has no value joins what has none, or null.
wire::Document join_filter(const FieldJoin& join, const wire::Document& document) {
  std::vector<ValueView> values;
  collect(ValueView(Type::Document, document.view().bytes()), join.local, values);
  const Value null = Value::null();
  if (values.empty()) values.push_back(null);
  wire::DocumentBuilder out;
  out.begin_array("$or");
  for (const ValueView value : values)
    out.begin_document(out.item_name())
        .begin_document(join.foreign)
        .append("$eq", value.is(Type::Undefined) ? null.view() : value)
        .end()
        .end();
  return out.end().finish();
}

class LookupStage final : public SetStage {
 public:
  LookupStage(ForeignPipeline pipeline, std::optional<FieldJoin> join, std::vector<Variable> variables,
              std::vector<std::string> as)
      : pipeline_(std::move(pipeline)), join_(std::move(join)), variables_(std::move(variables)), as_(std::move(as)) {}

  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    const bool same_for_all = !join_ && variables_.empty();
    Value found;
    for (wire::Document& document : documents) {
      if (!same_for_all || found.missing()) found = found_for(document);
      document = with_nested_field(document, as_, found);
    }
    return documents;
  }

 private:
  Value found_for(const wire::Document& document) const {
    wire::DocumentBuilder values;
    for (const Variable& variable : variables_) {
      const Value value = evaluate(*variable.expression, document);
      // A variable that holds nothing is known all the same.
      values.append(variable.name, value ? value.view() : ValueView(Type::Undefined, {}));
    }
    const wire::Document filter = join_ ? join_filter(*join_, document) : wire::Document();
    ArrayBuilder out;
    for (const wire::Document& each : pipeline_.run(values.finish(), filter))
      out.add(ValueView(Type::Document, each.view().bytes()));
    return out.finish();
  }

  ForeignPipeline pipeline_;
  std::optional<FieldJoin> join_;
  std::vector<Variable> variables_;
  std::vector<std::string> as_;
};

struct Options {
  std::string_view from;
  std::string_view as;
  std::optional<std::string_view> local;
  std::optional<std::string_view> foreign;
  std::optional<wire::DocumentView> let;
  std::optional<wire::DocumentView> pipeline;
};

std::string_view text_option(const wire::Element& element) {
  if (!element.value.is(Type::String))
    throw CommandError(9, fmt::format("$lookup argument '{}' must be a string, found {}: {}", element.name,
                                      bson_text(element), wire::type_name(element.value.type())));
  return element.value.as_string();
}

std::string_view from_option(ValueView value, const StageInput& input) {
  if (input.context.profile->wording <= Wording::V4_4) {
    if (!value.is(Type::String))
      throw CommandError(
          9, fmt::format("'from' option to $lookup must be a string, but was type {}", wire::type_name(value.type())));
    if (value.as_string().empty())
      throw CommandError(73, fmt::format("invalid $lookup namespace: {}.", command_of(input).request.db));
  }
  if (value.is(Type::Document)) not_built("$lookup from another database");
  if (!value.is(Type::String))
    throw CommandError(
        9, fmt::format("$lookup 'from' field must be a string, but found {}", wire::type_name(value.type())));
  return value.as_string();
}

void read_option(const wire::Element& element, const StageInput& input, Options& options) {
  const auto& [name, value] = element;
  if (name == "pipeline") {
    if (!value.is(Type::Array)) throw CommandError(14, "'pipeline' option must be specified as an array");
    options.pipeline = value.as_document();
  } else if (name == "let") {
    if (!value.is(Type::Document))
      throw CommandError(9, fmt::format("$lookup argument '{}' must be an object, is type {}", bson_text(element),
                                        wire::type_name(value.type())));
    options.let = value.as_document();
  } else if (name == "from") {
    options.from = from_option(value, input);
  } else if (const std::string_view text = text_option(element); name == "as") {
    options.as = text;
  } else if (name == "localField") {
    options.local = text;
  } else if (name == "foreignField") {
    options.foreign = text;
  } else {
    throw CommandError(9, fmt::format("unknown argument to $lookup: {}", name));
  }
}

Options read_options(const StageInput& input) {
  const ValueView argument = input.argument;
  const Wording wording = input.context.profile->wording;
  if (!argument.is(Type::Document))
    throw CommandError(9, fmt::format("the $lookup stage specification must be an object, but found {}",
                                      wire::type_name(argument.type())));
  Options options;
  for (const wire::Element& element : argument.as_document()) read_option(element, input, options);
  if (options.from.empty() && wording <= Wording::V5_0)
    throw CommandError(
        9, fmt::format("missing 'from' option to $lookup stage specification: {}", bson_text(argument.as_document())));
  if (options.from.empty() && !options.pipeline) throw CommandError(9, "must specify 'pipeline' when 'from' is empty");
  if (options.as.empty()) throw CommandError(9, "must specify 'as' field for a $lookup");
  if (wording <= Wording::V4_4 && options.pipeline && (options.local || options.foreign))
    throw CommandError(9, "$lookup with 'pipeline' may not specify 'localField' or 'foreignField'");
  if (options.local.has_value() != options.foreign.has_value() || (!options.pipeline && !options.local))
    throw CommandError(9, "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  if (!options.pipeline && options.let)
    throw CommandError(9, "$lookup with a 'let' argument must also specify 'pipeline'");
  return options;
}

StagePtr parse(const StageInput& input) {
  const Options options = read_options(input);
  const Wording wording = input.context.profile->wording;
  std::vector<std::string> as = split_field_path(options.as, wording);
  std::optional<FieldJoin> join;
  if (options.local) {
    split_field_path(*options.foreign, wording);
    join = FieldJoin{split_field_path(*options.local, wording), std::string(*options.foreign)};
  }
  std::vector<Variable> variables;
  std::vector<std::string> names;
  for (const auto& [name, value] : options.let.value_or(wire::DocumentView())) {
    check_variable_name(name, wording);
    names.emplace_back(name);
    variables.push_back({std::string(name), parse_expression(value, without_optimization(input.context))});
  }
  ForeignPipeline pipeline(options.from, options.pipeline.value_or(wire::DocumentView()), PipelineKind::Lookup,
                           input.context, std::move(names));
  if (options.from.empty() && !pipeline.makes_documents())
    throw CommandError(9,
                       "$lookup stage without explicit collection must have a pipeline with $documents as first stage");
  return std::make_unique<LookupStage>(std::move(pipeline), std::move(join), std::move(variables), std::move(as));
}

constexpr StageName names[] = {{"$lookup", parse}};

}  // namespace

extern constinit const StageSpec lookup_stage{names};

}  // namespace emulator
