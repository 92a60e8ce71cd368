// Aggregation pipelines: compiled once, run over documents one by one or over a set. The stages are rows of emulator/stages/.
#pragma once

#include <memory>
#include <optional>
#include <span>
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

class FieldSlots;

// What a stage does to the places of top-level fields: it makes a new document, or one that carries fields of the old one over
// in their order, the fields of the old one keep theirs, or it
// adds fields as well, some of which may have a place already.
enum class FieldPlaces { New, Carried, Kept, Extended };

class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;
  // One document through; nullopt: it does not pass. Only for stages that look at one document at a time.
  virtual std::optional<wire::Document> apply(const wire::Document& document) const = 0;
  virtual FieldPlaces field_places() const { return FieldPlaces::New; }
  // The paths that a stage writes or takes away, in its order.
  virtual std::span<const std::vector<std::string>> touched_fields() const { return {}; }
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
  std::optional<wire::Document> apply(const wire::Document& document) const;
  // Whether a stage adds fields: then the places of those that a document lacks matter.
  bool adds_fields() const { return adds_fields_; }
  std::optional<wire::Document> apply(const wire::Document& document, FieldSlots slots) const;
  std::vector<wire::Document> run(std::vector<wire::Document> documents) const;

 private:
  std::vector<StagePtr> stages_;
  PipelineInput input_ = PipelineInput::Collection;
  std::string_view refused_in_transaction_;
  bool splits_large_events_ = false;
  bool adds_fields_ = false;
};

}  // namespace emulator
