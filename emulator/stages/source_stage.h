// A stage that makes documents itself: it stands first, and nothing came before it.
#pragma once

#include <fmt/format.h>

#include "emulator/context.h"
#include "emulator/stages/set_stage.h"
#include "emulator/stages/table.h"

namespace emulator {

class SourceStage : public SetStage {
 public:
  bool is_source() const final { return true; }
  std::vector<wire::Document> run(std::vector<wire::Document>) const final { return make(); }

 protected:
  virtual std::vector<wire::Document> make() const = 0;
};

// The command whose pipeline it is.
inline const Context& command_of(const StageInput& input) {
  if (input.context.command == nullptr) not_built(fmt::format("the stage {} outside of a command", input.name));
  return *input.context.command;
}
// What the pipeline reads; empty: {aggregate: 1}.
inline std::string collection_under(const StageInput& input) {
  if (!input.context.over.empty()) return input.context.over;
  const wire::ValueView target = command_of(input).request.target();
  return target.is(wire::Type::String) ? std::string(target.as_string()) : std::string();
}

}  // namespace emulator
