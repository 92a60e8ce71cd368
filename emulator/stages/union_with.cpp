// $unionWith.
#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "emulator/context.h"
#include "emulator/facts/error_facts.h"
#include "emulator/foreign_pipeline.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

class UnionWithStage final : public SetStage {
 public:
  explicit UnionWithStage(ForeignPipeline pipeline) : pipeline_(std::move(pipeline)) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    std::vector<wire::Document> others = pipeline_.run();
    documents.insert(documents.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    return documents;
  }

 private:
  ForeignPipeline pipeline_;
};

void check_type(const wire::Element& element, Type type) {
  if (!element.value.is(type))
    throw CommandError(14, fmt::format("BSON field '$unionWith.{}' is the wrong type '{}', expected type '{}'",
                                       element.name, wire::type_name(element.value.type()), wire::type_name(type)));
}

// Until 4.4 an object is taken for the array that it may be.
wire::DocumentView pipeline_of_4_4(ValueView value) {
  if (!value.is(Type::Array) && !value.is(Type::Document))
    throw CommandError(10065, "invalid parameter: expected an object (pipeline)");
  for (const wire::Element& element : value.as_document())
    if (!element.value.is(Type::Document))
      throw CommandError(14, fmt::format("BSON field '$unionWith.pipeline.{}' is the wrong type '{}', expected type "
                                         "'object'",
                                         element.name, wire::type_name(element.value.type())));
  return value.as_document();
}

wire::DocumentView read_pipeline(const wire::Element& element, const ParseContext& context) {
  if (context.profile->wording <= Wording::V4_4) return pipeline_of_4_4(element.value);
  if (context.profile->errors.union_pipeline_as_aggregate && !element.value.is(Type::Array))
    throw CommandError(14, "'pipeline' option must be specified as an array");
  check_type(element, Type::Array);
  return element.value.as_document();
}

void check_collection_of_4_4(const StageInput& input, std::optional<std::string_view> collection) {
  if (!collection) throw CommandError(40414, "BSON field '$unionWith.coll' is missing but a required field");
  if (collection->empty() && input.context.command != nullptr)
    throw CommandError(73,
                       fmt::format("Namespace {}. is not a valid collection name", input.context.command->request.db));
}

StagePtr parse(const StageInput& input) {
  const bool of_4_4 = input.context.profile->wording <= Wording::V4_4;
  std::optional<std::string_view> named;
  wire::DocumentView stages;
  if (input.argument.is(Type::String)) {
    named = input.argument.as_string();
  } else if (input.argument.is(Type::Document)) {
    for (const wire::Element& element : input.argument.as_document()) {
      if (of_4_4 && element.value.is_nullish() && element.name == "coll") continue;
      if (element.name == "coll") {
        check_type(element, Type::String);
        named = element.value.as_string();
      } else if (element.name == "pipeline") {
        stages = read_pipeline(element, input.context);
      } else {
        throw CommandError(40415, fmt::format("BSON field '$unionWith.{}' is an unknown field.", element.name));
      }
    }
  } else {
    throw CommandError(9, fmt::format("the $unionWith stage specification must be an object or string, but found {}",
                                      wire::type_name(input.argument.type())));
  }
  if (of_4_4) check_collection_of_4_4(input, named);
  const std::string_view collection = named.value_or("");
  ForeignPipeline pipeline(collection, stages, PipelineKind::UnionWith, input.context);
  if (collection.empty() && !pipeline.makes_documents())
    throw CommandError(
        9, "$unionWith stage without explicit collection must have a pipeline with $documents as first stage");
  return std::make_unique<UnionWithStage>(std::move(pipeline));
}

bool known(const ParseContext& context) { return context.profile->max_wire_version >= 9; }  // 4.4

constexpr StageName names[] = {{.name = "$unionWith", .parse = parse, .known = known}};

}  // namespace

extern constinit const StageSpec union_with_stage{names};

}  // namespace emulator
