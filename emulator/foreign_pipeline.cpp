#include "emulator/foreign_pipeline.h"

#include "emulator/context.h"
#include "emulator/readable.h"

namespace emulator {
namespace {

// The variables as a compiled pipeline finds them: those of the command, then its own.
wire::Document with_variables(wire::DocumentView outer, wire::DocumentView own) {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : outer)
    if (!own.has(name)) out.append(name, value);
  return out.append_all(own).finish();
}

}  // namespace

ForeignPipeline::ForeignPipeline(std::string_view collection, wire::DocumentView stages, PipelineKind kind,
                                 const ParseContext& context, std::vector<std::string> variables)
    : collection_(collection), stages_(stages), kind_(kind), context_(without_optimization(context)) {
  context_.over = collection_;
  ++context_.depth;
  ParseContext trial = context_;
  wire::DocumentBuilder unknown;
  for (const std::string& name : variables) unknown.append(name, wire::ValueView(wire::Type::Undefined, {}));
  trial.let = with_variables(context.let, unknown.finish());
  // Refuses what is wrong before there is a document; each run compiles it with the values that it has.
  if (kind_ == PipelineKind::UnionWith) trial.optimization = context.optimization;
  makes_documents_ = Pipeline::parse_inner(stages_, kind_, trial).makes_documents();
}

std::vector<wire::Document> ForeignPipeline::documents(wire::DocumentView filter) const {
  if (makes_documents_ || collection_.empty()) return {};
  if (context_.command == nullptr) not_built("reads of other collections outside of a command");
  std::vector<wire::Document> out;
  MatchContext match{MatchPlace::Aggregate, context_};
  const Readable readable(*context_.command, context_.command->request.db, collection_, context_.depth);
  for (Found& found : readable.find(Matcher::parse(filter, match), {}, {})) out.push_back(std::move(found.document));
  return out;
}

std::vector<wire::Document> ForeignPipeline::run(wire::DocumentView values, wire::DocumentView filter) const {
  ParseContext context = context_;
  if (!values.empty()) context.let = with_variables(context_.let, values);
  const Pipeline pipeline = Pipeline::parse(stages_, kind_, context);
  try {
    return pipeline.run(documents(filter));
  } catch (const OptimizationFailure& failure) {
    // It is optimized by a stage that is executed.
    throw CommandError(static_cast<const CommandError&>(failure));
  }
}

}  // namespace emulator
