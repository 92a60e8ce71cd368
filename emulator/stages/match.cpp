// $match.
#include "emulator/stages/table.h"
#include "emulator/store/matcher.h"

namespace emulator {
namespace {

class MatchStage final : public Stage {
 public:
  explicit MatchStage(Matcher matcher) : matcher_(std::move(matcher)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    if (!matcher_.matches(document)) return std::nullopt;
    return document;
  }
  Places places() const override { return Places::Passed; }

 private:
  Matcher matcher_;
};

StagePtr parse(const StageInput& input) {
  if (!input.argument.is(wire::Type::Document))
    throw CommandError(15959, "the match filter must be an expression in an object");
  const MatchPlace place = input.kind == PipelineKind::ChangeStream ? MatchPlace::ChangeStream : MatchPlace::Aggregate;
  return std::make_unique<MatchStage>(Matcher::parse(input.argument.as_document(), {place, input.context}));
}

constexpr StageName names[] = {{"$match", parse, AfterChangeStream::Allowed}};

}  // namespace

extern constinit const StageSpec match_stage{names};

}  // namespace emulator
