// A pipeline over another collection than the command's own: what $lookup, $unionWith and views run. Knows no stage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/pipeline.h"

namespace emulator {

class ForeignPipeline {
 public:
  // `collection` empty: the pipeline makes its documents itself. `variables`: names that are given values at each run.
  // Throws CommandError for what is wrong with the stages.
  ForeignPipeline(std::string_view collection, wire::DocumentView stages, PipelineKind kind,
                  const ParseContext& context, std::vector<std::string> variables = {});

  // `values`: the variables, {name: value}. Only documents that `filter` matches go in; {}: all.
  std::vector<wire::Document> run(wire::DocumentView values = {}, wire::DocumentView filter = {}) const;
  bool makes_documents() const { return makes_documents_; }

 private:
  // Whatever the collection's documents are put through.
  std::vector<wire::Document> documents(wire::DocumentView filter) const;

  std::string collection_;
  wire::Document stages_;
  PipelineKind kind_;
  ParseContext context_;
  bool makes_documents_ = false;
};

}  // namespace emulator
