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
// Until 4.2 an inclusion always comes by its paths again for what it computes, and what an exclusion names has a place even
// where it is not; from 4.4 on an inclusion that computes nothing copies bytes as long as nothing has changed the document.
enum class TreeForm { Until4_2, Since4_4 };

class ProjectionTree {
 public:
  explicit ProjectionTree(TreeMode mode, TreeForm form = TreeForm::Since4_4) : mode_(mode), form_(form) {}
  TreeMode mode() const { return mode_; }

  enum class Leaf { Kept, Dropped, Computed };
  // What keeps a path from being added.
  struct Collision {
    enum class Kind { WithLongerPath, WithPrefix } kind;
    std::size_t prefix_steps = 0;  // WithPrefix: how many steps the path that stands there has
    std::string longer_path;       // WithLongerPath: the path that stands there
  };
  std::optional<Collision> add(std::span<const std::string> steps, Leaf leaf, ExpressionPtr expression = nullptr);

  // What it takes away, or computes without getting a value, keeps a place (wire/document_places.h), and so do places of the
  // document.
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
  // First the fields of the document are kept or dropped, then what is computed is set in the outcome.
  wire::Document kept(const Node& node, wire::DocumentView document) const;
  wire::Document included(const Node& node, wire::DocumentView document) const;
  wire::Document not_excluded(const Node& node, wire::DocumentView document) const;
  wire::Value kept_in_value(const Node& node, wire::ValueView value) const;
  wire::Document computed(const Node& node, wire::DocumentView document, Variables& variables) const;
  wire::Value computed_in_value(const Node& node, wire::ValueView value, Variables& variables) const;
  wire::Document copied(const Node& node, wire::DocumentView document) const;
  wire::Value copied_value(const Node& node, wire::ValueView value) const;
  TreeMode mode_;
  TreeForm form_;
  Node root_;
};

}  // namespace emulator
