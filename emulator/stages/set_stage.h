// A stage over a set of documents: it never stands where documents come one by one.
#pragma once

#include <cassert>

#include "emulator/pipeline.h"

namespace emulator {

class SetStage : public Stage {
 public:
  std::optional<wire::Document> apply(const wire::Document& document) const final {
    assert(false && "refused after $changeStream and in updates");
    return document;
  }
};

}  // namespace emulator
