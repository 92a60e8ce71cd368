// $facet: several pipelines over the same documents.
#include <fmt/format.h>

#include "emulator/expression_parts.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;

struct Facet {
  std::string name;
  Pipeline pipeline;
};

class FacetStage final : public SetStage {
 public:
  explicit FacetStage(std::vector<Facet> facets) : facets_(std::move(facets)) {}
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    wire::DocumentBuilder out;
    for (const Facet& facet : facets_) {
      out.begin_array(facet.name);
      for (const wire::Document& each : facet.pipeline.run(documents)) out.append_document(out.item_name(), each);
      out.end();
    }
    return {out.finish()};
  }

 private:
  std::vector<Facet> facets_;
};

void check_name(std::string_view name, Wording wording) {
  if (name.find('.') != std::string_view::npos)
    throw CommandError(16412, fmt::format("FieldPath field names may not contain '.'.{}",
                                          wording <= Wording::V4_4 ? "" : " Consider using $getField or $setField."));
  split_field_path(name, wording);
}

Facet parse_facet(const wire::Element& element, const StageInput& input) {
  const auto& [name, stages] = element;
  check_name(name, input.context.profile->wording);
  if (!stages.is(Type::Array))
    throw CommandError(
        40170, fmt::format("arguments to $facet must be arrays, {} is type {}", name, wire::type_name(stages.type())));
  for (const wire::Element& stage : stages.as_document())
    if (!stage.value.is(Type::Document) || stage.value.as_document().empty())
      throw CommandError(40171, fmt::format("elements of arrays in $facet spec must be non-empty objects, {} argument "
                                            "contained an element of type {}: {}",
                                            name, wire::type_name(stage.value.type()), bson_text(stage)));
  constexpr int of_4_4 = 9;
  if (stages.as_document().empty() && input.context.profile->max_wire_version < of_4_4)
    throw CommandError(2, "sub-pipeline in $facet stage cannot be empty");
  return {std::string(name), Pipeline::parse_inner(stages.as_document(), PipelineKind::Facet, input.context)};
}

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(Type::Document) || input.argument.as_document().empty())
    throw CommandError(40169, fmt::format("the $facet specification must be a non-empty object, but found: {}",
                                          bson_text(wire::Element{input.name, input.argument})));
  std::vector<Facet> facets;
  for (const wire::Element& element : input.argument.as_document()) facets.push_back(parse_facet(element, input));
  return std::make_unique<FacetStage>(std::move(facets));
}

constexpr StageName names[] = {{.name = "$facet", .parse = parse, .inner = InnerUse::NotInFacet}};

}  // namespace

extern constinit const StageSpec facet_stage{names};

}  // namespace emulator
