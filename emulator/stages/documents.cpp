// $documents.
#include <fmt/format.h>

#include "emulator/stages/source_stage.h"
#include "emulator/value_text.h"

namespace emulator {
namespace {

using wire::Type;

class DocumentsStage final : public SourceStage {
 public:
  explicit DocumentsStage(ExpressionPtr expression) : expression_(std::move(expression)) {}

 private:
  std::vector<wire::Document> make() const override {
    const wire::Value value = evaluate(*expression_, wire::DocumentView());
    if (value.type() != Type::Array) throw CommandError(5858203, "an array is expected");
    std::vector<wire::Document> out;
    for (const wire::Element& element : value.view().as_document()) {
      if (!element.value.is(Type::Document))
        throw CommandError(40228, fmt::format("elements within the array passed to $documents must evaluate to an "
                                              "object, but resulting value was: {}. Type of resulting value: '{}'",
                                              expression_text(element.value), wire::type_name(element.value.type())));
      out.emplace_back(element.value.as_document());
    }
    return out;
  }
  ExpressionPtr expression_;
};

StagePtr parse(const StageInput& input) {
  constexpr int first_for_users = 14;  // 5.1; before, the server uses it by itself
  if (input.context.profile->max_wire_version < first_for_users)
    throw CommandError(5491300, "$documents' is not allowed in user requests");
  // Behind $changeStream it is refused by where it stands.
  if (input.kind != PipelineKind::ChangeStream && input.context.command != nullptr &&
      !collection_under(input).empty() && input.kind != PipelineKind::Lookup && input.kind != PipelineKind::UnionWith)
    throw CommandError(73, "'$documents' can only be run with {aggregate: 1}");
  return std::make_unique<DocumentsStage>(parse_expression(input.argument, input.context));
}

bool known(const ParseContext& context) { return context.profile->max_wire_version >= 13; }  // 5.0

constexpr StageName names[] = {{.name = "$documents",
                                .parse = parse,
                                .known = known,
                                .place = StagePlace::First,
                                .inner = InnerUse::NotInFacet,
                                .input = PipelineInput::Database}};

}  // namespace

extern constinit const StageSpec documents_stage{names};

}  // namespace emulator
