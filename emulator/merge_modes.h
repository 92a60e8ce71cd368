// How $merge writes one document: the modes for what is matched and what is not. Knows no pipeline stage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emulator/context.h"
#include "emulator/expression.h"
#include "wire/document.h"

namespace emulator {

enum class WhenMatched { Replace, KeepExisting, Merge, Fail, Pipeline };
enum class WhenNotMatched { Insert, Discard, Fail };

struct MergeSpec {
  std::string db;
  std::string collection;
  std::vector<std::string> on;
  WhenMatched when_matched = WhenMatched::Merge;
  WhenNotMatched when_not_matched = WhenNotMatched::Insert;
  wire::Document pipeline;  // {u: [stages]}, for WhenMatched::Pipeline
  // The variables of the pipeline, each of the document that comes in.
  std::vector<std::pair<std::string, std::shared_ptr<const Expression>>> let;
};

// Writes them one after the other; throws CommandError at the first that cannot be.
void merge_documents(const Context& command, const MergeSpec& spec, const std::vector<wire::Document>& documents);

}  // namespace emulator
