// Aggregation expressions: compiled once, evaluated over many documents. The operators are rows of emulator/expressions/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/command_error.h"
#include "emulator/profile.h"
#include "emulator/random.h"
#include "wire/document.h"

namespace emulator {

class Collation;
class Context;

// What mongod does with expressions once all is parsed: those that are constant are evaluated, and the first that fails is the
// command's failure.
struct Optimization {
  std::optional<CommandError> failure;
  void fail(const CommandError& error) {
    if (!failure) failure = error;
  }
};
// Thrown for it, with its introduction: no executor was made.
struct OptimizationFailure : CommandError {
  explicit OptimizationFailure(const CommandError& error) : CommandError(error) {}
};

// What an expression takes from its command, fixed when it is compiled: mongod, too, keeps $$NOW of the open for a stream's getMores.
struct ParseContext {
  std::int64_t now_ms = 0;         // $$NOW
  wire::Timestamp cluster_time{};  // $$CLUSTER_TIME; zero: there is none
  wire::Document let;              // the command's variables, evaluated: {name: value} (see evaluate_let)
  const Profile* profile = &all_profiles().back();  // what came later is unknown to it; never nullptr
  RandomStream* random = nullptr;                   // $rand, $sampleRate; must outlive what is compiled
  Optimization* optimization = nullptr;             // of what this is parsed for; nullptr: it is not optimized
  // For stages that read other collections, or write: the command, and what the pipeline reads where that is not the
  // command's own collection ($lookup, views). Compiled stages that use them do not outlive the command.
  const Context* command = nullptr;
  std::string over;
  int depth = 0;                               // how many views and other collections' pipelines it stands in
  std::shared_ptr<const Collation> collation;  // nullptr: the simple one
};

// For a part that is optimized at another time, or never.
inline ParseContext without_optimization(ParseContext context) {
  context.optimization = nullptr;
  return context;
}

// What an expression is evaluated over. Make one per document, or reuse it.
struct Variables {
  explicit Variables(wire::DocumentView document) : root(document) {}
  wire::DocumentView root;
  // Values of $let, $map, $filter, $reduce, by the slot that parsing gave the name.
  std::vector<wire::Value> locals;
};

class Expression {
 public:
  Expression() = default;
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;
  virtual ~Expression() = default;
  // The missing value is Value(); errors are thrown as CommandError with mongod's code and text, without a prefix.
  virtual wire::Value evaluate(Variables& variables) const = 0;
  // The value, if it is the same for every document.
  virtual const wire::Value* constant() const { return nullptr; }
  // "a.b" for the field path "$a.b" (of the document itself); empty otherwise.
  virtual std::string_view field_path() const { return {}; }
};
using ExpressionPtr = std::unique_ptr<const Expression>;

// Keeps nothing of `value` alive and needs nothing of it later.
ExpressionPtr parse_expression(wire::ValueView value, const ParseContext& context);
wire::Value evaluate(const Expression& expression, wire::DocumentView document);
// The variables of a command's `let`: each value is an expression without fields. {} gives {}.
wire::Document evaluate_let(wire::DocumentView let, const ParseContext& context);

// As a condition sees it: missing, null, undefined, false and zero are false.
bool is_true(wire::ValueView value);

}  // namespace emulator
