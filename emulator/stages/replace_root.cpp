// $replaceRoot and $replaceWith.
#include <fmt/format.h>

#include "emulator/stages/table.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

class ReplaceRootStage final : public Stage {
 public:
  // `shown`: how messages begin.
  ReplaceRootStage(ExpressionPtr expression, std::string_view shown)
      : expression_(std::move(expression)), shown_(shown) {}
  Places places() const override { return Places::Known; }
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    const wire::Value value = evaluate(*expression_, document);
    if (value.type() != wire::Type::Document)
      throw CommandError(
          40228,
          fmt::format("{} must evaluate to an object, but resulting value was: {}. Type of resulting value: '{}'. "
                      "Input document: {}",
                      shown_, expression_text(value), wire::type_name(value.type()), expression_text(document)));
    return wire::Document(value.view().as_document());
  }

 private:
  ExpressionPtr expression_;
  std::string_view shown_;
};

StagePtr parse_replace_root(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(40229, fmt::format("expected an object as specification for $replaceRoot stage, got {}",
                                          wire::type_name(input.argument.type())));
  for (const wire::Element& element : input.argument.as_document())
    if (element.name != "newRoot")
      throw CommandError(40415, fmt::format("BSON field '$replaceRoot.{}' is an unknown field.", element.name));
  const wire::ValueView root = input.argument.as_document().find("newRoot");
  if (!root) throw CommandError(40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
  const bool is_6_0 = input.context.profile->wording > Wording::V5_0;
  return std::make_unique<ReplaceRootStage>(parse_expression(root, input.context),
                                            is_6_0 ? "'newRoot' expression " : "'newRoot' expression");
}

StagePtr parse_replace_with(const StageInput& input) {
  const Wording wording = input.context.profile->wording;
  return std::make_unique<ReplaceRootStage>(parse_expression(input.argument, input.context),
                                            wording <= Wording::V4_2   ? "'newRoot' expression"
                                            : wording <= Wording::V5_0 ? "'replacement document'"
                                                                       : "'replacement document' ");
}

constexpr StageName names[] = {
    {"$replaceRoot", parse_replace_root, AfterChangeStream::Allowed, InUpdate::Allowed},
    {"$replaceWith", parse_replace_with, AfterChangeStream::Allowed, InUpdate::Allowed},
};

}  // namespace

extern constinit const StageSpec replace_root_stage{names};

}  // namespace emulator
