// A file of this folder is a family of expression operators ($add and its like, $map …): it defines its row, and no other is edited.
// table-type: ExpressionSpec
// table-suffix: expression
// table-accessor: all_expressions
#pragma once

#include <cstdint>
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

// When the arguments are looked at. InTurn: each as soon as it is evaluated, so that one that ends the call (null, or of a
// wrong type) keeps later ones from being evaluated, and from failing.
enum class Arguments : std::uint8_t { AllFirst, InTurn };

// The arguments evaluated, in order.
struct Call {
  std::string_view name;
  std::span<const wire::Value> arguments;
  const wire::Value& operator[](std::size_t i) const { return arguments[i]; }
  std::size_t count() const { return arguments.size(); }
};
using EvaluateCall = wire::Value (*)(const Call&);

// What a collation makes of it: nothing, its arguments compare by their keys, or it is not built.
enum class UnderCollation { Same, ByKeys, Refused };

inline constexpr int any_number = 1'000'000;

struct ExpressionOperator {
  std::string_view name;
  // Either: so many arguments, all evaluated before the call …
  int arguments_min = 0;
  int arguments_max = 0;
  EvaluateCall evaluate = nullptr;
  // … or a parser of its own.
  ExpressionPtr (*parse)(const ExpressionInput&) = nullptr;
  Arguments arguments = Arguments::AllFirst;
  // The first profile (by wire version) that has it.
  int wire_version_min = 0;
  UnderCollation under_collation = UnderCollation::Same;
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
struct NamedErrors {
  int not_object_code;
  std::string_view not_object_text;  // empty: "<name> only supports an object as its argument"
  int unknown_code;
  std::string_view unknown_text;  // followed by the name
};
ExpressionPtr parse_named_call(const ExpressionInput& input, std::span<const NamedArgument> names,
                               const NamedErrors& errors, EvaluateCall evaluate);
// The named members as written, in the order of `names` (missing when absent).
std::vector<wire::ValueView> named_members(const ExpressionInput& input, std::span<const NamedArgument> names,
                                           const NamedErrors& errors);
ExpressionPtr make_call(std::string_view name, std::vector<ExpressionPtr> arguments, EvaluateCall evaluate,
                        Arguments order = Arguments::AllFirst);

}  // namespace emulator
