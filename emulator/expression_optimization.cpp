#include "emulator/error_codes.h"
#include "emulator/expressions/table.h"

namespace emulator {

void ParseScope::optimize(const Expression& constant) {
  if (context.optimization == nullptr || context.optimization->failure) return;
  Variables nothing{wire::DocumentView()};
  try {
    constant.evaluate(nothing);
  } catch (const CommandError& error) {
    // What is not built is refused where it is asked for.
    if (error.code != code::not_implemented) context.optimization->fail(error);
  }
}

void ParseScope::optimize_parts(const ExpressionOperator& found, const ExpressionInput& input,
                                std::span<const ExpressionPtr> arguments) {
  if (context.optimization == nullptr || (found.folding != Folding::Neighbours && found.folding != Folding::Constants))
    return;
  std::vector<ExpressionPtr> part;
  const auto evaluate_part = [&] {
    if (part.size() > 1) optimize(*make_call(input, std::move(part), found.evaluate, found.arguments));
    part.clear();
  };
  for (const ExpressionPtr& argument : arguments) {
    if (const wire::Value* value = argument->constant())
      part.push_back(make_constant(*value));
    else if (found.folding == Folding::Neighbours)
      evaluate_part();
  }
  evaluate_part();
}

}  // namespace emulator
