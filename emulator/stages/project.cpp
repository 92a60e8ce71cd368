// $project and $unset.
#include <fmt/format.h>

#include "emulator/arguments.h"
#include "emulator/expression_parts.h"
#include "emulator/field_slots.h"
#include "emulator/stages/table.h"
#include "emulator/store/projection.h"

namespace emulator {
namespace {

class ProjectStage final : public Stage {
 public:
  ProjectStage(Projection projection, FieldPlaces places, std::vector<FieldSteps> touched)
      : projection_(std::move(projection)), places_(places), touched_(std::move(touched)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    return projection_.apply(document);
  }
  FieldPlaces field_places() const override { return places_; }
  std::span<const FieldSteps> touched_fields() const override { return touched_; }

 private:
  Projection projection_;
  FieldPlaces places_;
  std::vector<FieldSteps> touched_;
};

// Only a projection that takes fields away leaves the others where they are.
FieldPlaces places_after(wire::DocumentView spec) {
  for (const wire::Element& element : spec)
    if (element.name != "_id") return is_truthy(element.value) ? FieldPlaces::New : FieldPlaces::Kept;
  return is_truthy(spec["_id"]) ? FieldPlaces::New : FieldPlaces::Kept;
}

// Of an exclusion: a path may be written with dots, as documents inside documents, or both.
void add_removed(wire::DocumentView spec, const FieldSteps& above, std::vector<FieldSteps>& out) {
  for (const wire::Element& element : spec) {
    FieldSteps steps = above;
    for (std::string& step : split_field_path(element.name)) steps.push_back(std::move(step));
    if (element.value.is(wire::Type::Document))
      add_removed(element.value.as_document(), steps, out);
    else
      out.push_back(std::move(steps));
  }
}

// Of an inclusion: what it computes, and what it leads a path through, has a place even without a value.
std::vector<FieldSteps> written_by(wire::DocumentView spec) {
  std::vector<FieldSteps> written;
  for (const wire::Element& element : spec) {
    const bool is_flag = element.value.is_number() || element.value.is(wire::Type::Bool);
    if (FieldSteps steps = split_field_path(element.name); !is_flag || steps.size() > 1)
      written.push_back({std::move(steps.front())});
  }
  return written;
}

StagePtr make(const StageInput& input, wire::DocumentView spec) {
  try {
    Projection projection = Projection::parse(spec, ProjectionKind::Aggregate, {MatchPlace::Aggregate, input.context});
    const FieldPlaces places = places_after(spec);
    std::vector<FieldSteps> touched;
    if (places == FieldPlaces::Kept)
      add_removed(spec, {}, touched);
    else
      touched = written_by(spec);
    return std::make_unique<ProjectStage>(std::move(projection), places, std::move(touched));
  } catch (CommandError& error) {
    error.message = fmt::format("Invalid {} :: caused by :: {}", input.name, error.message);
    throw;
  }
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
