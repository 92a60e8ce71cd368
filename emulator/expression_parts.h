// What the operators of emulator/expressions/ are made of: names in scope while parsing, calls with evaluated arguments.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/expression.h"

namespace emulator {

// A command's `let` is evaluated before there is a document.
enum class Fields { Allowed, Refused };

// Code 168, which some say otherwise in its place.
struct UnknownExpression : CommandError {
  explicit UnknownExpression(std::string_view its_name)
      : CommandError(168, "Unrecognized expression '" + std::string(its_name) + "'"), name(its_name) {}
  std::string name;
};

struct ExpressionInput;
struct ExpressionOperator;

// The names in scope while an expression is parsed. A local's slot is its index.
class ParseScope {
 public:
  explicit ParseScope(const ParseContext& its_context, Fields fields = Fields::Allowed)
      : context(its_context), fields_(fields) {}
  ExpressionPtr parse(wire::ValueView value);
  // The value of an array is its arguments, any other value is the one argument.
  std::vector<ExpressionPtr> parse_arguments(wire::ValueView value);

  std::size_t declare(std::string_view name) {
    locals_.emplace_back(name);
    return locals_.size() - 1;
  }
  // Evaluates what is constant, if what is parsed is to be optimized: its failure is kept.
  void optimize(const Expression& constant);
  void forget(std::size_t count) { locals_.resize(locals_.size() - count); }

  const ParseContext& context;

 private:
  ExpressionPtr parse_path(std::string_view text);
  ExpressionPtr parse_object(wire::DocumentView object);
  ExpressionPtr parse_operator(const ExpressionOperator& found, const ExpressionInput& input);
  void optimize_parts(const ExpressionOperator& found, const ExpressionInput& input,
                      std::span<const ExpressionPtr> arguments);
  std::optional<std::size_t> slot_of(std::string_view name) const;
  std::vector<std::string> locals_;
  Fields fields_;
  std::size_t changing_ = 0;  // how many parts were parsed so far that are not constant
};

ExpressionPtr make_constant(wire::Value value);

// Sets a local for as long as an evaluation needs it.
inline void set_local(Variables& variables, std::size_t slot, wire::Value value) {
  if (variables.locals.size() <= slot) variables.locals.resize(slot + 1);
  variables.locals[slot] = std::move(value);
}
// Throws as mongod unless a user may define a variable of that name.
void check_variable_name(std::string_view name, Wording wording);

// Splits "a.b" and refuses what is no path, with mongod's codes.
std::vector<std::string> split_field_path(std::string_view path, Wording wording);
// The steps of what that has taken for a path before.
std::vector<std::string> path_steps(std::string_view path);
wire::Value value_at(wire::ValueView base, std::span<const std::string> steps);

}  // namespace emulator
