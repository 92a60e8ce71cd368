// A file of this folder is a family of expression operators ($add and its like, $map …): it defines its row, and no other is edited.
// table-type: ExpressionSpec
// table-suffix: expression
// table-accessor: all_expressions
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/expression_parts.h"

namespace emulator {

struct ExpressionInput {
  std::string_view name;
  wire::ValueView argument;
  ParseScope& scope;
};

// When the arguments are evaluated, which shows in what fails. AllFirst: before the call, in order; LastFirst: before it, the
// last one first. InTurn: each when the call looks at it, so that one that ends the call (null, or of a wrong type) keeps
// later ones from being evaluated, and from failing.
enum class Arguments : std::uint8_t { AllFirst, LastFirst, InTurn };

// One evaluation of an operator with arguments.
class Call {
 public:
  Call(std::string_view its_name, const Profile& its_profile, std::span<const ExpressionPtr> arguments,
       Variables& variables)
      : name(its_name), profile(its_profile), arguments_(arguments), values_(arguments.size()), variables_(variables) {}
  std::size_t count() const { return arguments_.size(); }
  // Evaluated when it is first asked for.
  const wire::Value& operator[](std::size_t i) const {
    if (!values_[i]) values_[i] = arguments_[i]->evaluate(variables_);
    return *values_[i];
  }

  class Iterator {
   public:
    Iterator(const Call& call, std::size_t at) : call_(call), at_(at) {}
    const wire::Value& operator*() const { return call_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const Call& call_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, count()}; }

  const std::string_view name;
  const Profile& profile;

 private:
  std::span<const ExpressionPtr> arguments_;
  mutable std::vector<std::optional<wire::Value>> values_;
  Variables& variables_;
};
using EvaluateCall = wire::Value (*)(const Call&);

// What a collation makes of it: nothing, its arguments compare by their keys, or it is not built.
enum class UnderCollation { Same, ByKeys, Refused };

// Which constant arguments are evaluated when what it stands in is optimized: all together; also those of them that stand side by
// side, or that are all that are constant, since the operator may be applied to a part; never.
enum class Folding : std::uint8_t { Whole, Neighbours, Constants, Never };

inline constexpr int any_number = 1'000'000;

struct ExpressionOperator {
  std::string_view name;
  // Either: so many arguments, evaluated as `arguments` says …
  int arguments_min = 0;
  int arguments_max = 0;
  EvaluateCall evaluate = nullptr;
  // … or a parser of its own.
  ExpressionPtr (*parse)(const ExpressionInput&) = nullptr;
  Arguments arguments = Arguments::AllFirst;
  // The first profile (by wire version) that has it so. Of several rows of one name the first that a profile has counts.
  int wire_version_min = 0;
  UnderCollation under_collation = UnderCollation::Same;
  Folding folding = Folding::Whole;
};

struct ExpressionSpec {
  std::span<const ExpressionOperator> operators;
};

std::span<const ExpressionSpec* const> all_expressions();

// For operators with named arguments ({input: …, chars: …}); what is absent is evaluated as missing.
struct NamedArgument {
  std::string_view name;
  // The error when it is absent; 0: it is optional.
  int absent_code = 0;
  std::string_view absent_text = {};
};
enum class UnknownName { Bare, Quoted };
struct NamedErrors {
  int not_object_code;
  std::string_view not_object_text;  // empty: "<name> only supports an object as its argument"
  int unknown_code;
  std::string_view unknown_text;  // followed by the name
  UnknownName unknown_name = UnknownName::Bare;
  std::string_view unknown_end = {};  // what stands after the name
};
// For operators that parse each member as they come to it, before they miss or refuse another; nullptr where one is absent.
std::vector<ExpressionPtr> parse_members(const ExpressionInput& input, std::span<const NamedArgument> names,
                                         const NamedErrors& errors);
ExpressionPtr parse_named_call(const ExpressionInput& input, std::span<const NamedArgument> names,
                               const NamedErrors& errors, EvaluateCall evaluate, Arguments order = Arguments::AllFirst);
// For operators that gather all members before they parse one: as written, in the order of `names` (missing when absent).
using TakeMember = std::function<void(std::size_t name, wire::ValueView member)>;
void each_named_member(const ExpressionInput& input, std::span<const NamedArgument> names, const NamedErrors& errors,
                       const TakeMember& take);
std::vector<wire::ValueView> named_members(const ExpressionInput& input, std::span<const NamedArgument> names,
                                           const NamedErrors& errors);
ExpressionPtr make_call(const ExpressionInput& input, std::vector<ExpressionPtr> arguments, EvaluateCall evaluate,
                        Arguments order = Arguments::AllFirst);

}  // namespace emulator
