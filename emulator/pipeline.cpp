#include "emulator/pipeline.h"

#include <fmt/format.h>

#include <utility>

#include "emulator/api_version.h"
#include "emulator/stages/table.h"
#include "wire/document_places.h"

namespace emulator {

const StageName* find_stage(std::string_view name, const ParseContext& context) {
  for (const StageSpec* spec : all_stages())
    for (const StageName& each : spec->names)
      if (each.name == name && (!each.known || each.known(context))) return &each;
  return nullptr;
}

namespace {

wire::Element stage_element(wire::ValueView value) {
  if (!value.is(wire::Type::Document)) throw CommandError(14, "Each element of the 'pipeline' array must be an object");
  const wire::DocumentView stage = value.as_document();
  if (stage.count() != 1)
    throw CommandError(40323, "A pipeline stage specification object must contain exactly one field.");
  return stage.first();
}

constexpr std::string_view split_large_event = "$changeStreamSplitLargeEvent";

// 5.1: until then $changeStream is one stage, from then on it is made of others, which refuse in its place.
constexpr int first_with_internal_stages = 14;

struct Position {
  std::size_t index;
  bool last;
};

void check_inner(const StageName& stage, PipelineKind kind, std::string_view shown) {
  if (kind == PipelineKind::Facet && stage.inner != InnerUse::Allowed)
    throw CommandError(40600, fmt::format("{} is not allowed to be used within a $facet stage", shown));
  if (stage.inner != InnerUse::Refused) return;
  if (kind == PipelineKind::Lookup)
    throw CommandError(51047, fmt::format("{} is not allowed within a $lookup's sub-pipeline", shown));
  if (kind == PipelineKind::UnionWith)
    throw CommandError(31441, fmt::format("{} is not allowed within a $unionWith's sub-pipeline", shown));
}

// mongod parses all stages before it looks at where they stand.
void check_place(const StageName& stage, PipelineKind kind, Position position, const ParseContext& context) {
  const bool is_change_stream = stage.name == "$changeStream";
  const bool is_whole = is_change_stream && context.profile->max_wire_version < first_with_internal_stages;
  const std::string_view shown = stage.made_of.empty() || is_whole ? stage.name : stage.made_of;
  check_inner(stage, kind, shown);
  if (is_change_stream && position.index > 0)
    throw CommandError(40602,
                       fmt::format("{} is only valid as the first stage in a pipeline{}", shown, is_whole ? "." : ""));
  if (kind == PipelineKind::ChangeStream && stage.after_change_stream == AfterChangeStream::Refused)
    throw CommandError(20, fmt::format("{} is not permitted in a $changeStream pipeline", shown));
  if (stage.name == split_large_event && kind != PipelineKind::ChangeStream)
    throw CommandError(20, fmt::format("{} can only be used in a $changeStream pipeline", stage.name));
  if (stage.name == split_large_event && !position.last)
    throw CommandError(7182802, fmt::format("{} must be the last stage in the pipeline", stage.name));
  if (kind == PipelineKind::Update && stage.in_update == InUpdate::Refused)
    throw CommandError(72, fmt::format("{} is not allowed to be used within an update", stage.name));
  if (stage.place == StagePlace::First && position.index > 0)
    throw CommandError(40602, fmt::format("{} is only valid as the first stage in a pipeline{}", shown,
                                          context.profile->max_wire_version < first_with_internal_stages ? "." : ""));
  if (stage.place == StagePlace::Last && !position.last)
    throw CommandError(40601, fmt::format("{} can only be the final stage in the pipeline", shown));
}

void drop_places(std::vector<wire::Document>& documents) {
  for (wire::Document& document : documents) document = wire::without_places(document);
}

}  // namespace

std::vector<wire::Document> Stage::run(std::vector<wire::Document> documents) const {
  auto end = documents.begin();
  for (const wire::Document& document : documents)
    if (std::optional<wire::Document> passed = apply(document)) *end++ = *std::move(passed);
  documents.erase(end, documents.end());
  return documents;
}

void Pipeline::check_names(wire::DocumentView stages, const ParseContext& context, std::size_t skip) {
  std::size_t position = 0;
  for (const wire::Element& each : stages) {
    if (position++ < skip) continue;
    const wire::Element element = stage_element(each.value);
    if (!find_stage(element.name, context))
      throw CommandError(40324, fmt::format("Unrecognized pipeline stage name: '{}'", element.name));
  }
}

Pipeline Pipeline::parse(wire::DocumentView stages, PipelineKind kind, const ParseContext& context, std::size_t skip) {
  // An update's pipeline meets its constants at each document.
  if (kind == PipelineKind::Update) return compile(stages, kind, without_optimization(context), skip);
  // Of a stage that is made of others: they are optimized with their pipeline.
  if (context.optimization != nullptr) return compile(stages, kind, context, skip);
  Optimization optimization;
  ParseContext optimized = context;
  optimized.optimization = &optimization;
  Pipeline made = compile(stages, kind, optimized, skip);
  made.failure_ = std::move(optimization.failure);
  if (made.failure_) made.failure_->message.insert(0, optimizing_pipeline);
  return made;
}

Pipeline Pipeline::parse_inner(wire::DocumentView stages, PipelineKind kind, const ParseContext& context) {
  Pipeline made = parse(stages, kind, without_optimization(context));
  if (made.failure_ && context.optimization != nullptr) context.optimization->fail(*made.failure_);
  return made;
}

void Pipeline::optimize() const {
  if (failure_) throw OptimizationFailure(*failure_);
}

Pipeline Pipeline::compile(wire::DocumentView stages, PipelineKind kind, const ParseContext& context,
                           std::size_t skip) {
  check_names(stages, context, skip);
  Pipeline made;
  std::vector<const StageName*> names;
  std::size_t position = 0;
  for (const wire::Element& each : stages) {
    if (position++ < skip) continue;
    const wire::Element element = each.value.as_document().first();
    const StageName* name = find_stage(element.name, context);
    if (name->parse)
      if (StagePtr stage = name->parse({name->name, element.value, kind, context}))
        made.stages_.push_back(std::move(stage));
    names.push_back(name);
  }
  for (const StageName* name : names)
    if (name->in_api_version_1 == StageInApiVersion1::No && context.command != nullptr &&
        is_api_strict(context.command->request))
      throw CommandError(323, fmt::format("{} is not allowed with 'apiStrict: true' in API Version 1", name->name));
  for (std::size_t i = 0; i < names.size(); ++i)
    check_place(*names[i], kind, {i + skip, i + 1 == names.size()}, context);
  if (!names.empty()) made.input_ = names.front()->input;
  for (const StageName* name : names)
    if (name->in_transaction == StageInTransaction::Refused && made.refused_in_transaction_.empty())
      made.refused_in_transaction_ = name->name;
  made.splits_large_events_ = !names.empty() && names.back()->name == split_large_event;
  for (const StageName* name : names)
    if (!name->parse) not_built(fmt::format("the stage {}", name->name));
  return made;
}

std::optional<wire::Document> Pipeline::apply(const wire::Document& document, const Placed& placed) const {
  std::optional<wire::Document> current = document;
  bool may_have_places = false;
  for (const StagePtr& stage : stages_) {
    if (stage->places() == Places::Known) {
      current = stage->apply(placed && !may_have_places ? placed(*current) : *current);
      may_have_places = true;
    } else {
      const wire::Document bson = may_have_places ? wire::without_places(*current) : *current;
      std::optional<wire::Document> out = stage->apply(bson);
      if (!out || stage->places() == Places::Dropped) current = std::move(out);
    }
    if (!current) return std::nullopt;
  }
  return may_have_places ? wire::without_places(*current) : current;
}

std::vector<wire::Document> Pipeline::run(std::vector<wire::Document> documents) const {
  optimize();
  bool may_have_places = false;  // not what is stored
  for (const StagePtr& stage : stages_) {
    if (stage->places() == Places::Passed) {
      std::erase_if(documents, [&](const wire::Document& document) {
        return !stage->apply(may_have_places ? wire::without_places(document) : document);
      });
      continue;
    }
    if (may_have_places && stage->places() == Places::Dropped) drop_places(documents);
    documents = stage->run(std::move(documents));
    may_have_places = true;
  }
  if (may_have_places) drop_places(documents);
  return documents;
}

}  // namespace emulator
