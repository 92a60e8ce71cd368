// What update and findAndModify do to one document: operators, a replacement or a pipeline, and what the oplog says of it.
// Knows no commands, collections or sessions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "emulator/array_filter.h"
#include "emulator/dollar_names.h"
#include "emulator/expression.h"
#include "emulator/facts/oplog_facts.h"
#include "emulator/operators/table.h"
#include "emulator/pipeline.h"
#include "emulator/store/matcher.h"
#include "emulator/update_log.h"
#include "wire/document.h"

namespace emulator {

struct UpdateResult {
  // Diff: an update event. Replacement: a replace event. NoOp: no entry, no event, nothing modified.
  enum class Kind : std::uint8_t { NoOp, Diff, Replacement } kind = Kind::NoOp;
  wire::Document post;
  wire::Document oplog_o;  // {$v: 2, diff: {…}}, {$v: 1, $set: …, $unset: …} or the whole document; default for NoOp
};

// Whether an operator may name no field at all (5.0+).
enum class EmptyOperators : std::uint8_t { Allowed, Refused };

struct UpdateContext {
  ParseContext expressions;
  UpdateTime time;
  OplogFacts::UpdateForm form = OplogFacts::UpdateForm::Diff;
  OplogFacts::PipelineUpdates pipelines = OplogFacts::PipelineUpdates::SmallerOfBoth;
  UpdateOrder order{};
  DollarNames dollar_names = DollarNames::Stored;
  EmptyOperators empty_operators = EmptyOperators::Allowed;
};

class Update {
 public:
  enum class Kind : std::uint8_t { Operators, Replacement, Pipeline };

  // `u`: a document or an array of stages. `array_filters`: an array of documents, or missing. Both are copied.
  // Throws CommandError with mongod's codes and texts, without "Plan executor error" prefixes.
  static Update parse(wire::ValueView u, wire::ValueView array_filters, const UpdateContext& context);

  Update(Update&&) noexcept = default;
  Update& operator=(Update&&) noexcept = default;

  Kind kind() const { return kind_; }
  // Whether "$" is used: apply then needs the array index that the query matched (Matcher::matched_position).
  bool needs_position() const { return needs_position_; }

  // Throws CommandError; the statement failed then, and nothing is changed.
  UpdateResult apply(const wire::Document& pre, std::optional<std::size_t> position = std::nullopt) const;
  // The document that an upsert inserts: the query's equality fields by path (of a replacement's query only `_id`), then the update,
  // `_id` first. Without `_id` when neither has one: the caller generates it.
  wire::Document insertion(const Matcher& query) const;

 private:
  Update() = default;
  void parse_operators(const UpdateContext& context);
  UpdateResult apply_operators(const wire::Document& pre, std::optional<std::size_t> position) const;
  UpdateResult apply_replacement(const wire::Document& pre) const;
  UpdateResult apply_pipeline(const wire::Document& pre) const;
  wire::Document replacement() const;

  Kind kind_ = Kind::Operators;
  // What the parsed parts are views into.
  wire::Document u_;
  wire::Document array_filters_;
  UpdateTime time_;
  OplogFacts::UpdateForm form_ = OplogFacts::UpdateForm::Diff;
  OplogFacts::PipelineUpdates pipelines_ = OplogFacts::PipelineUpdates::SmallerOfBoth;
  DollarNames dollar_names_ = DollarNames::Stored;
  bool needs_position_ = false;
  bool refuses_id_as_array_ = false;  // 54 instead of 53
  UpdateNodePtr root_;
  ArrayFilters filters_;
  Pipeline pipeline_;
};

}  // namespace emulator
