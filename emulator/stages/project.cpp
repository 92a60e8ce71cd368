// $project and $unset.
#include <fmt/format.h>

#include <algorithm>

#include "emulator/arguments.h"
#include "emulator/expression_parts.h"
#include "emulator/field_slots.h"
#include "emulator/specification_paths.h"
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

// 0 and false; every other value, null too, is kept or computed.
bool takes_away(wire::ValueView value) {
  return (value.is_number() || value.is(wire::Type::Bool)) && !is_truthy(value);
}

// Only a projection that takes fields away leaves the others where they are.
// Until 4.2 it even gives places to what it takes away where that is not.
FieldPlaces places_after(wire::DocumentView spec, Wording wording) {
  const FieldPlaces excluded = wording <= Wording::V4_2 ? FieldPlaces::Extended : FieldPlaces::Kept;
  for (const wire::Element& element : spec)
    if (element.name != "_id") return takes_away(element.value) ? excluded : FieldPlaces::Carried;
  return takes_away(spec["_id"]) ? excluded : FieldPlaces::Carried;
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

bool computes(wire::ValueView value) {
  if (value.is_number() || value.is(wire::Type::Bool)) return false;
  if (!value.is(wire::Type::Document) || value.as_document().first().name.starts_with('$')) return true;
  const wire::DocumentView inside = value.as_document();
  return std::any_of(inside.begin(), inside.end(),
                     [](const wire::Element& element) { return computes(element.value); });
}

// Of an inclusion: each path that it goes down, and each field below or at which it computes something.
// It comes by its paths again when it computes, until 4.2 always.
std::vector<FieldSteps> touched_by(wire::DocumentView spec, Wording wording) {
  std::vector<FieldSteps> touched;
  const bool comes_again = wording <= Wording::V4_2 || std::any_of(spec.begin(), spec.end(), [](const auto& element) {
                             return computes(element.value);
                           });
  for (const wire::Element& element : spec) {
    FieldSteps steps = split_field_path(element.name);
    const bool is_object =
        element.value.is(wire::Type::Document) && !element.value.as_document().first().name.starts_with('$');
    const bool goes_down = steps.size() > 1 || is_object;
    if (goes_down) touched.push_back({steps.front(), {}});
    if (computes(element.value) || (goes_down && comes_again)) touched.push_back({std::move(steps.front())});
  }
  return touched;
}

StagePtr compiled(const StageInput& input, wire::DocumentView spec) {
  Projection projection = Projection::parse(spec, ProjectionKind::Aggregate, {MatchPlace::Aggregate, input.context});
  const FieldPlaces places = places_after(spec, input.context.profile->wording);
  std::vector<FieldSteps> touched;
  if (places != FieldPlaces::Carried)
    add_removed(spec, {}, touched);
  else
    touched = touched_by(spec, input.context.profile->wording);
  return std::make_unique<ProjectStage>(std::move(projection), places, std::move(touched));
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
