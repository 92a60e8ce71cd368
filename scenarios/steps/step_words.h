// What several steps have in common: names of what they made, and the error they are meant to get.
#pragma once

#include <optional>
#include <string>

#include "scenarios/match.h"
#include "scenarios/steps/table.h"
#include "scenarios/values.h"

namespace scenarios {

// `as` and `fails` of a step that writes.
struct WriteWords {
  std::string as;
  std::optional<Node> fails;
  const Node* expected_error() const { return fails ? &*fails : nullptr; }
};
WriteWords read_write_words(Reader& reader, const Node& value);
// `as: NAME`; empty: none.
std::string read_as(Reader& reader, const Node& value, NameKind kind);

// {COMMAND: coll, FIELD: [statement], ordered} for "db.coll".
struct Statement {
  std::string_view command;
  std::string ns;
  std::string_view field;
  wire::Document statement;  // default: `statements` are several
  wire::Document statements;
};
// Runs it on the primary; throws StepFailed as check_reply does.
void run_statement(Stage& stage, const Statement& statement, const WriteWords& words);

}  // namespace scenarios
