#include "scenarios/steps/step_words.h"

namespace scenarios {

std::string read_as(Reader& reader, const Node& value, NameKind kind) {
  const Node* as = value.find("as");
  if (as == nullptr) return {};
  reader.set_name(*as, kind);
  return as->text() != nullptr ? *as->text() : std::string();
}

WriteWords read_write_words(Reader& reader, const Node& value) {
  WriteWords words;
  words.as = read_as(reader, value, NameKind::Event);
  if (const Node* fails = value.find("fails")) {
    check_matcher(reader, *fails);
    words.fails = *fails;
  }
  return words;
}

void run_statement(Stage& stage, const Statement& statement, const WriteWords& words) {
  const std::size_t dot = statement.ns.find('.');
  wire::DocumentBuilder command;
  command.append_string(statement.command, statement.ns.substr(dot + 1));
  if (statement.statements.is_default()) {
    command.begin_array(statement.field);
    command.append_document(command.item_name(), statement.statement).end();
  } else {
    command.append_array(statement.field, statement.statements);
  }
  check_reply(stage.run(statement.ns.substr(0, dot), command.finish(), words.as), words.expected_error(),
              stage.names());
}

const StepSpec* find_step(std::string_view name) {
  for (const StepSpec* spec : all_steps())
    if (spec->name == name) return spec;
  return nullptr;
}

}  // namespace scenarios
