// $addFields and $set.
#include <fmt/format.h>

#include "emulator/expression_parts.h"
#include "emulator/field_slots.h"
#include "emulator/stages/table.h"
#include "emulator/store/projection_tree.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

class AddFieldsStage final : public Stage {
 public:
  AddFieldsStage(ProjectionTree tree, std::vector<FieldSteps> written)
      : tree_(std::move(tree)), written_(std::move(written)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override { return tree_.apply(document); }
  FieldPlaces field_places() const override { return FieldPlaces::Extended; }
  std::span<const FieldSteps> touched_fields() const override { return written_; }

 private:
  ProjectionTree tree_;
  std::vector<FieldSteps> written_;
};

class Parser {
 public:
  explicit Parser(const StageInput& input) : input_(input), spec_(input.argument.as_document()) {}

  // The shape of the argument: the paths, and where expressions stand.
  void read() {
    constexpr int wire_version_4_4 = 9;
    if (spec_.empty() && input_.context.wire_version <= wire_version_4_4)
      throw CommandError(40177, "specification must have at least one field");
    for (const wire::Element& element : spec_) {
      std::vector<std::string> steps = split_field_path(element.name);
      add(steps, element.value);
    }
  }

  StagePtr make() const {
    ProjectionTree tree(TreeMode::Addition);
    std::vector<FieldSteps> written;
    for (const auto& [steps, value] : leaves_) {
      tree.add(steps, ProjectionTree::Leaf::Computed, parse_expression(value, input_.context));
      written.push_back(steps);
    }
    return std::make_unique<AddFieldsStage>(std::move(tree), std::move(written));
  }

 private:
  void add(std::vector<std::string>& steps, wire::ValueView value) {
    const bool nested = value.is(wire::Type::Document) && !is_expression(value.as_document(), steps);
    if (!nested) return add_leaf(steps, value);
    for (const auto& [name, member] : value.as_document()) {
      if (name.find('.') != std::string_view::npos)
        throw CommandError(40183, fmt::format("cannot use dotted field name '{}' in a sub object: {}", name, shown()));
      steps.push_back(split_field_path(name).front());
      add(steps, member);
      steps.pop_back();
    }
  }

  bool is_expression(wire::DocumentView object, const std::vector<std::string>& steps) const {
    if (object.empty())
      throw CommandError(
          40180, fmt::format("an empty object is not a valid value. Found empty object at path {}", joined(steps)));
    bool operators = false;
    for (const wire::Element& element : object) operators |= element.name.starts_with('$');
    const std::size_t count = object.count();
    if (operators && count != 1)
      throw CommandError(
          40181,
          fmt::format("an expression specification must contain exactly one field, the name of the expression. Found "
                      "{} fields in {}, while parsing object {}",
                      count, bson_text(object), shown()));
    return operators;
  }

  void add_leaf(const std::vector<std::string>& steps, wire::ValueView value) {
    leaves_.emplace_back(steps, value);
    const auto collision = paths_.add(steps, ProjectionTree::Leaf::Computed, nullptr);
    if (!collision) return;
    const bool longer = collision->kind == ProjectionTree::Collision::Kind::WithLongerPath;
    const std::string other =
        longer ? collision->longer_path
               : joined({steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(collision->prefix_steps)});
    throw CommandError(
        40176, fmt::format("specification contains two conflicting paths. Cannot specify both '{}' and '{}': {}",
                           joined(steps), other, bson_text(spec_)));
  }

  static std::string joined(const std::vector<std::string>& steps) { return fmt::format("{}", fmt::join(steps, ".")); }
  std::string shown() const { return bson_text(spec_); }

  const StageInput& input_;
  wire::DocumentView spec_;
  // The paths are judged before any expression is read.
  ProjectionTree paths_{TreeMode::Addition};
  std::vector<std::pair<std::vector<std::string>, wire::ValueView>> leaves_;
};

template <class Work>
auto named(std::string_view stage, Work&& work) {
  try {
    return work();
  } catch (CommandError& error) {
    error.message = fmt::format("Invalid {} :: caused by :: {}", stage, error.message);
    throw;
  }
}

StagePtr parse(const StageInput& input) {
  constexpr int wire_version_4_2 = 8;
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(40272, fmt::format("{} specification stage must be an object, got {}", input.name,
                                          wire::type_name(input.argument.type())));
  Parser parser(input);
  // Up to 4.2 both are $addFields, and expressions speak for themselves.
  const bool is_alias = input.context.wire_version <= wire_version_4_2;
  named(is_alias ? "$addFields" : input.name, [&] { parser.read(); });
  if (is_alias) return parser.make();
  return named(input.name, [&] { return parser.make(); });
}

constexpr StageName names[] = {
    {"$addFields", parse, AfterChangeStream::Allowed, InUpdate::Allowed},
    {"$set", parse, AfterChangeStream::Allowed, InUpdate::Allowed},
};

}  // namespace

extern constinit const StageSpec add_fields_stage{names};

}  // namespace emulator
