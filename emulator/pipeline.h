// Aggregation pipelines: compiled once, run over documents one by one or over a set. The stages are rows of emulator/stages/.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/expression.h"
#include "wire/document.h"

namespace emulator {

// ChangeStream: the stages after $changeStream. Update: of update and findAndModify. Facet, Lookup, UnionWith: inside those stages.
enum class PipelineKind { ChangeStream, Update, Aggregate, Facet, Lookup, UnionWith };
// What a pipeline is run on: a collection's documents, or a database ({aggregate: 1}).
enum class PipelineInput { Collection, Database };

// Whether a stage knows places without a value (wire/document_places.h), passes by what has them, or needs BSON's documents.
enum class Places { Known, Passed, Dropped };

// What introduces the failure of a constant in it.
inline constexpr std::string_view optimizing_pipeline = "Failed to optimize pipeline :: caused by :: ";

class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;
  // One document through; nullopt: it does not pass. Only for stages that look at one document at a time.
  virtual std::optional<wire::Document> apply(const wire::Document& document) const = 0;
  virtual Places places() const { return Places::Dropped; }
  // Takes no documents, but makes them.
  virtual bool is_source() const { return false; }
  // A whole set through. Stages that look at one document at a time need not define it.
  virtual std::vector<wire::Document> run(std::vector<wire::Document> documents) const;
};
using StagePtr = std::unique_ptr<const Stage>;

class Pipeline {
 public:
  // `stages` is the command's array; the first `skip` of them are left out ($changeStream itself). Throws CommandError: what fails here
  // has mongod's whole text, what fails later (apply, run) is an error of execution and comes without a prefix.
  static Pipeline parse(wire::DocumentView stages, PipelineKind kind, const ParseContext& context,
                        std::size_t skip = 0);

  // As parse, for a pipeline inside a stage that is optimized with it.
  static Pipeline parse_inner(wire::DocumentView stages, PipelineKind kind, const ParseContext& context);

  // Throws OptimizationFailure if a constant of the stages failed; run does so too.
  void optimize() const;

  // Throws as parse does for what is no stage at all, before any stage is read.
  static void check_names(wire::DocumentView stages, const ParseContext& context, std::size_t skip = 0);

  bool empty() const { return stages_.empty(); }
  PipelineInput input() const { return input_; }
  // The first stage that no transaction may have; empty: there is none.
  std::string_view refused_in_transaction() const { return refused_in_transaction_; }
  // Begins with a stage that makes the documents.
  bool makes_documents() const { return !stages_.empty() && stages_.front()->is_source(); }
  // Ends in $changeStreamSplitLargeEvent: the stream cuts the events that leave it.
  bool splits_large_events() const { return splits_large_events_; }
  // What comes out has no places. `placed` gives the document the places that it has from its making; it is asked when a stage
  // wants to know them.
  using Placed = std::function<wire::Document(const wire::Document&)>;
  std::optional<wire::Document> apply(const wire::Document& document, const Placed& placed = {}) const;
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const;

 private:
  static Pipeline compile(wire::DocumentView stages, PipelineKind kind, const ParseContext& context, std::size_t skip);
  std::vector<StagePtr> stages_;
  std::optional<CommandError> failure_;
  PipelineInput input_ = PipelineInput::Collection;
  std::string_view refused_in_transaction_;
  bool splits_large_events_ = false;
};

}  // namespace emulator
