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
  void forget(std::size_t count) { locals_.resize(locals_.size() - count); }

  const ParseContext& context;

 private:
  ExpressionPtr parse_path(std::string_view text);
  ExpressionPtr parse_object(wire::DocumentView object);
  std::optional<std::size_t> slot_of(std::string_view name) const;
  std::vector<std::string> locals_;
  Fields fields_;
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
std::vector<std::string> split_field_path(std::string_view path, Wording wording = Wording::V9_0);
wire::Value value_at(wire::ValueView base, std::span<const std::string> steps);

}  // namespace emulator
