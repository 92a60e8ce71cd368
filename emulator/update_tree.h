// The operators of one update, sorted by path as mongod applies them. Knows no documents: update_apply walks it over one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "emulator/operators/table.h"
#include "emulator/update_path.h"

namespace emulator {

// A node is an object (children by field name), an array (children by array filter), or the end of a path.
// Names are views into the update; nodes are shared by the trees that merging makes.
struct UpdateNode {
  // Reserved: the source of a $rename, which nothing else may touch.
  enum class Kind : std::uint8_t { Object, Array, Operator, Reserved } kind = Kind::Object;
  std::map<std::string_view, std::shared_ptr<UpdateNode>, UpdateOrder> children;

  explicit UpdateNode(UpdateOrder order) : children(order) {}
  std::shared_ptr<UpdateNode> positional;  // the child "$" of an object

  const UpdateOperatorSpec* spec = nullptr;
  std::shared_ptr<const Modifier> modifier;
  UpdatePath rename_source;
};
using UpdateNodePtr = std::shared_ptr<UpdateNode>;

// Which array filter ids exist, and which were used.
using ArrayFilterUse = std::map<std::string_view, bool>;

class UpdateTreeBuilder {
 public:
  UpdateTreeBuilder(ArrayFilterUse& filters, const ParseContext& context, UpdateOrder order)
      : filters_(filters), context_(context), order_(order), root_(std::make_shared<UpdateNode>(order)) {}

  // Adds `field: argument` of an operator. Throws CommandError (2, 40, 56, and the operator's own).
  void add(const UpdateOperatorSpec& spec, std::string_view field, wire::ValueView argument);
  bool uses_positional() const { return uses_positional_; }
  UpdateNodePtr finish() { return root_; }

 private:
  // Before the operator's own checks; array filters come after them, on the way to the leaf.
  void check_positional(const UpdatePath& path, std::string_view dotted);
  void check_array_filter(const UpdatePath& path, std::size_t at, std::string_view dotted);
  void insert(const UpdatePath& path, std::string_view dotted, std::shared_ptr<UpdateNode> leaf);

  ArrayFilterUse& filters_;
  const ParseContext& context_;
  UpdateOrder order_;
  std::shared_ptr<UpdateNode> root_;
  bool uses_positional_ = false;
};

// Both updates of one element, as "$" or several filters lead to it too. Throws CommandError 40 where they meet; `path` names the place.
UpdateNodePtr merge_updates(const UpdateNodePtr& left, const UpdateNodePtr& right, const std::string& path);

}  // namespace emulator
