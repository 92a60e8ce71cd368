// $project and $unset.
#include <fmt/format.h>

#include "emulator/specification_paths.h"
#include "emulator/stages/table.h"
#include "emulator/store/projection.h"

namespace emulator {
namespace {

class ProjectStage final : public Stage {
 public:
  explicit ProjectStage(Projection projection) : projection_(std::move(projection)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    return projection_.apply(document);
  }
  Places places() const override { return Places::Known; }

 private:
  Projection projection_;
};

StagePtr compiled(const StageInput& input, wire::DocumentView spec) {
  return std::make_unique<ProjectStage>(
      Projection::parse(spec, ProjectionKind::Aggregate, {MatchPlace::Aggregate, input.context}));
}

// Until 4.2 messages about paths alone name the stage, and $unset is $project.
StagePtr make(const StageInput& input, wire::DocumentView spec) {
  const Wording wording = input.context.profile->wording;
  try {
    if (wording > Wording::V4_2) return compiled(input, spec);
    SpecificationPaths(spec, wording);
  } catch (CommandError& error) {
    error.message =
        fmt::format("Invalid {} :: caused by :: {}", wording > Wording::V4_2 ? input.name : "$project", error.message);
    throw;
  }
  return compiled(input, spec);
}

StagePtr parse_project(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document)) throw CommandError(15969, "$project specification must be an object");
  return make(input, input.argument.as_document());
}

StagePtr parse_unset(const StageInput& input) {
  wire::DocumentBuilder spec;
  if (input.argument.is(wire::Type::String)) {
    spec.append_int32(input.argument.as_string(), 0);
  } else if (input.argument.is(wire::Type::Array)) {
    if (input.argument.as_document().empty())
      throw CommandError(31119, "$unset specification must be a string or an array with at least one field");
    for (const wire::Element& each : input.argument.as_document()) {
      if (!each.value.is(wire::Type::String))
        throw CommandError(31120, "$unset specification must be a string or an array containing only string values");
      spec.append_int32(each.value.as_string(), 0);
    }
  } else {
    throw CommandError(31002, "$unset specification must be a string or an array");
  }
  return make(input, spec.view());
}

constexpr StageName names[] = {
    {"$project", parse_project, AfterChangeStream::Allowed, InUpdate::Allowed},
    {"$unset", parse_unset, AfterChangeStream::Allowed, InUpdate::Allowed},
};

}  // namespace

extern constinit const StageSpec project_stage{names};

}  // namespace emulator
