// Projections of find and $project: compiled once, applied to many documents. Knows no stage and no command.
#pragma once

#include <memory>

#include "emulator/expression.h"
#include "emulator/store/matcher.h"
#include "wire/document.h"

namespace emulator {

// find has $slice, $elemMatch and the positional `$` besides what $project has.
enum class ProjectionKind { Find, Aggregate };

class Projection {
 public:
  // Throws CommandError, without the prefix "Invalid $project :: caused by :: " that the stage has. {} lets everything through (find).
  static Projection parse(wire::DocumentView spec, ProjectionKind kind, const MatchContext& context = {});
  Projection();
  Projection(Projection&&) noexcept;
  Projection& operator=(Projection&&) noexcept;
  ~Projection();

  // `filter` is the query whose matching position `$` stands for.
  wire::Document apply(const wire::Document& document, const Matcher* filter = nullptr) const;
  // Throws OptimizationFailure if a constant of a find's failed.
  void optimize() const {
    if (failure_) throw OptimizationFailure(*failure_);
  }
  bool lets_everything_through() const { return root_ == nullptr; }

  struct Node;

 private:
  std::unique_ptr<const Node> root_;
  std::optional<CommandError> failure_;
};

}  // namespace emulator
