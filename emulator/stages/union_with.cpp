// $unionWith.
#include <fmt/format.h>

#include <iterator>

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

StagePtr parse(const StageInput& input) {
  std::string_view collection;
  wire::DocumentView stages;
  if (input.argument.is(Type::String)) {
    collection = input.argument.as_string();
  } else if (input.argument.is(Type::Document)) {
    for (const wire::Element& element : input.argument.as_document()) {
      if (element.name == "coll") {
        check_type(element, Type::String);
        collection = element.value.as_string();
      } else if (element.name == "pipeline") {
        if (input.context.command != nullptr && input.context.command->profile().errors.union_pipeline_as_aggregate &&
            !element.value.is(Type::Array))
          throw CommandError(14, "'pipeline' option must be specified as an array");
        check_type(element, Type::Array);
        stages = element.value.as_document();
      } else {
        throw CommandError(40415, fmt::format("BSON field '$unionWith.{}' is an unknown field.", element.name));
      }
    }
  } else {
    throw CommandError(9, fmt::format("the $unionWith stage specification must be an object or string, but found {}",
                                      wire::type_name(input.argument.type())));
  }
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
