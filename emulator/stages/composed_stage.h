// A stage that mongod makes of others: $bucket is a $group and a $sort.
#pragma once

#include <string>

#include "emulator/pipeline.h"
#include "emulator/stages/table.h"

namespace emulator {

class ComposedStage final : public Stage {
 public:
  // `stages`: an array of stages.
  ComposedStage(wire::DocumentView stages, const StageInput& input)
      : pipeline_(Pipeline::parse(stages, input.kind, input.context)) {}
  std::optional<wire::Document> apply(const wire::Document& document) const override {
    return pipeline_.apply(document);
  }
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const override {
    return pipeline_.run(std::move(documents));
  }

 private:
  Pipeline pipeline_;
};

}  // namespace emulator
