// Fields kept, dropped or computed, as a tree of their paths: what projections, $addFields and $unset share. Knows none of their syntax.
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

// Inclusion: only what is named. Exclusion: all but what is named. Addition: all, and what is named besides.
enum class TreeMode { Inclusion, Exclusion, Addition };

class ProjectionTree {
 public:
  explicit ProjectionTree(TreeMode mode) : mode_(mode) {}
  TreeMode mode() const { return mode_; }

  enum class Leaf { Kept, Dropped, Computed };
  // What keeps a path from being added.
  struct Collision {
    enum class Kind { WithLongerPath, WithPrefix } kind;
    std::size_t prefix_steps = 0;  // WithPrefix: how many steps the path that stands there has
    std::string longer_path;       // WithLongerPath: the path that stands there
  };
  std::optional<Collision> add(std::span<const std::string> steps, Leaf leaf, ExpressionPtr expression = nullptr);

  wire::Document apply(wire::DocumentView document) const;

 private:
  struct Node;
  struct Entry {
    std::string name;
    Leaf leaf = Leaf::Kept;
    ExpressionPtr expression;
    std::unique_ptr<Node> child;
  };
  struct Node {
    std::vector<Entry> entries;  // in the order of the specification
    bool computes = false;       // there is a computed field below
    Entry* find(std::string_view name);
    std::size_t index_of(std::string_view name) const;
  };
  wire::Document apply(const Node& node, wire::DocumentView document, Variables& variables) const;
  wire::Value apply_to_value(const Node& node, wire::ValueView value, Variables& variables) const;
  wire::Value made_from_nothing(const Node& node, Variables& variables) const;
  wire::Value new_value(const Entry& entry, Variables& variables) const;
  wire::Value entry_value(const Entry& entry, wire::ValueView value, Variables& variables) const;
  TreeMode mode_;
  Node root_;
};

}  // namespace emulator
