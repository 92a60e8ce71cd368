#include <fmt/format.h>

#include <algorithm>

#include "emulator/expressions/table.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

class CallNode final : public Expression {
 public:
  CallNode(std::string_view name, const Profile& profile, std::vector<ExpressionPtr> arguments, EvaluateCall call,
           Arguments order)
      : name_(name), profile_(profile), arguments_(std::move(arguments)), call_(call), order_(order) {}
  Value evaluate(Variables& variables) const override {
    const Call call(name_, profile_, arguments_, variables);
    if (order_ == Arguments::AllFirst)
      for (std::size_t i = 0; i < call.count(); ++i) call[i];
    if (order_ == Arguments::LastFirst)
      for (std::size_t i = call.count(); i > 0; --i) call[i - 1];
    return call_(call);
  }

 private:
  std::string_view name_;
  const Profile& profile_;
  std::vector<ExpressionPtr> arguments_;
  EvaluateCall call_;
  Arguments order_;
};

}  // namespace

ExpressionPtr make_call(const ExpressionInput& input, std::vector<ExpressionPtr> arguments, EvaluateCall evaluate,
                        Arguments order) {
  return std::make_unique<CallNode>(input.name, *input.scope.context.profile, std::move(arguments), evaluate, order);
}

void each_named_member(const ExpressionInput& input, std::span<const NamedArgument> names, const NamedErrors& errors,
                       const TakeMember& take) {
  if (!input.argument.is(Type::Document))
    throw CommandError(errors.not_object_code,
                       errors.not_object_text.empty()
                           ? fmt::format("{} only supports an object as its argument", input.name)
                           : std::string(errors.not_object_text));
  std::vector<bool> given(names.size());
  for (const auto& [name, value] : input.argument.as_document()) {
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const NamedArgument& each) { return each.name == name; });
    const std::string_view quote = errors.unknown_name == UnknownName::Quoted ? "\"" : "";
    if (found == names.end())
      throw CommandError(errors.unknown_code,
                         fmt::format("{}{}{}{}{}", errors.unknown_text, quote, name, quote, errors.unknown_end));
    const auto at = static_cast<std::size_t>(found - names.begin());
    given[at] = true;
    take(at, value);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!given[i] && names[i].absent_code != 0)
      throw CommandError(names[i].absent_code, std::string(names[i].absent_text));
}

std::vector<ValueView> named_members(const ExpressionInput& input, std::span<const NamedArgument> names,
                                     const NamedErrors& errors) {
  std::vector<ValueView> members(names.size());
  each_named_member(input, names, errors, [&](std::size_t at, ValueView member) { members[at] = member; });
  return members;
}

std::vector<ExpressionPtr> parse_members(const ExpressionInput& input, std::span<const NamedArgument> names,
                                         const NamedErrors& errors) {
  std::vector<ExpressionPtr> members(names.size());
  each_named_member(input, names, errors,
                    [&](std::size_t at, ValueView member) { members[at] = input.scope.parse(member); });
  return members;
}

ExpressionPtr parse_named_call(const ExpressionInput& input, std::span<const NamedArgument> names,
                               const NamedErrors& errors, EvaluateCall evaluate, Arguments order) {
  std::vector<ExpressionPtr> arguments = parse_members(input, names, errors);
  for (ExpressionPtr& argument : arguments)
    if (!argument) argument = make_constant({});
  return make_call(input, std::move(arguments), evaluate, order);
}

}  // namespace emulator
