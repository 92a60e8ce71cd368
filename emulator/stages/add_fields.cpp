// $addFields and $set.
#include <fmt/format.h>

#include "emulator/specification_paths.h"
#include "emulator/stages/table.h"
#include "emulator/store/projection_tree.h"

namespace emulator {
namespace {

class AddFieldsStage final : public Stage {
 public:
  explicit AddFieldsStage(ProjectionTree tree) : tree_(std::move(tree)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override { return tree_.apply(document); }
  Places places() const override { return Places::Known; }

 private:
  ProjectionTree tree_;
};

StagePtr compiled(const StageInput& input, const SpecificationPaths& paths) {
  ProjectionTree tree(TreeMode::Addition);
  for (const auto& [steps, value] : paths.fields())
    tree.add(steps, ProjectionTree::Leaf::Computed, parse_expression(value, input.context));
  return std::make_unique<AddFieldsStage>(std::move(tree));
}

// Until 4.2 messages about paths alone name the stage, by its older name.
StagePtr parse(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(40272, fmt::format("{} specification stage must be an object, got {}", input.name,
                                          wire::type_name(input.argument.type())));
  const Wording wording = input.context.profile->wording;
  const std::string_view name = wording <= Wording::V4_2 ? "$addFields" : input.name;
  std::optional<SpecificationPaths> paths;
  try {
    paths.emplace(input.argument.as_document(), wording);
    if (wording > Wording::V4_2) return compiled(input, *paths);
  } catch (CommandError& error) {
    error.message = fmt::format("Invalid {} :: caused by :: {}", name, error.message);
    throw;
  }
  return compiled(input, *paths);
}

constexpr StageName names[] = {
    {"$addFields", parse, AfterChangeStream::Allowed, InUpdate::Allowed},
    {"$set", parse, AfterChangeStream::Allowed, InUpdate::Allowed},
};

}  // namespace

extern constinit const StageSpec add_fields_stage{names};

}  // namespace emulator
