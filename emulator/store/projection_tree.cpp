#include "emulator/store/projection_tree.h"

#include <algorithm>

#include "emulator/array_builder.h"

namespace emulator {

using wire::Type;
using wire::Value;
using wire::ValueView;

ProjectionTree::Entry* ProjectionTree::Node::find(std::string_view name) {
  const std::size_t i = index_of(name);
  return i < entries.size() ? &entries[i] : nullptr;
}

std::size_t ProjectionTree::Node::index_of(std::string_view name) const {
  std::size_t i = 0;
  while (i < entries.size() && entries[i].name != name) ++i;
  return i;
}

std::optional<ProjectionTree::Collision> ProjectionTree::add(std::span<const std::string> steps, Leaf leaf,
                                                             ExpressionPtr expression) {
  Node* node = &root_;
  const bool computes = leaf == Leaf::Computed;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    node->computes |= computes;
    Entry* entry = node->find(steps[i]);
    if (!entry) {
      node->entries.push_back({steps[i], Leaf::Kept, nullptr, std::make_unique<Node>()});
      entry = &node->entries.back();
    }
    if (!entry->child) return Collision{Collision::Kind::WithPrefix, i + 1, {}};
    node = entry->child.get();
  }
  node->computes |= computes;
  if (const Entry* entry = node->find(steps.back())) {
    Collision collision{Collision::Kind::WithLongerPath, 0, std::string(steps.front())};
    for (std::size_t i = 1; i < steps.size(); ++i) collision.longer_path += "." + steps[i];
    // The least of them, as mongod's ordered set finds it.
    while (entry->child) {
      entry = &*std::ranges::min_element(entry->child->entries, {}, &Entry::name);
      collision.longer_path += "." + entry->name;
    }
    return collision;
  }
  node->entries.push_back({steps.back(), leaf, std::move(expression), nullptr});
  return std::nullopt;
}

wire::Document ProjectionTree::apply(wire::DocumentView document) const {
  Variables variables(document);
  return apply(root_, document, variables);
}

wire::Document ProjectionTree::apply(const Node& node, wire::DocumentView document, Variables& variables) const {
  wire::DocumentBuilder out;
  std::vector<bool> written(node.entries.size());
  // What fails first is what the specification names first, wherever the document has it.
  std::vector<Value> added(mode_ == TreeMode::Addition ? node.entries.size() : 0);
  for (std::size_t i = 0; i < added.size(); ++i) {
    const ValueView present = document.find(node.entries[i].name);
    added[i] = present ? entry_value(node.entries[i], present, variables) : new_value(node.entries[i], variables);
  }
  for (const auto& [name, value] : document) {
    const std::size_t i = node.index_of(name);
    if (i == node.entries.size()) {
      if (mode_ != TreeMode::Inclusion) out.append(name, value);
      continue;
    }
    const Entry& entry = node.entries[i];
    if (mode_ == TreeMode::Addition) {
      if (added[i]) out.append(name, added[i]);
      written[i] = true;
      continue;
    }
    // An inclusion starts from nothing: what it computes stands behind what it keeps.
    if (!entry.child && entry.leaf == Leaf::Computed && mode_ == TreeMode::Inclusion) continue;
    const Value result = entry_value(entry, value, variables);
    if (result) out.append(name, result);
    written[i] = result || !(entry.child && entry.child->computes);
  }
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    const Entry& entry = node.entries[i];
    if (written[i]) continue;
    const Value result = mode_ == TreeMode::Addition ? std::move(added[i]) : new_value(entry, variables);
    if (result) out.append(entry.name, result);
  }
  return out.finish();
}

Value ProjectionTree::new_value(const Entry& entry, Variables& variables) const {
  if (entry.child) return made_from_nothing(*entry.child, variables);
  return entry.leaf == Leaf::Computed ? entry.expression->evaluate(variables) : Value();
}

Value ProjectionTree::entry_value(const Entry& entry, ValueView value, Variables& variables) const {
  if (entry.child) return apply_to_value(*entry.child, value, variables);
  switch (entry.leaf) {
    case Leaf::Kept:
      return value;
    case Leaf::Dropped:
      return {};
    case Leaf::Computed:
      return entry.expression->evaluate(variables);
  }
  return {};
}

Value ProjectionTree::made_from_nothing(const Node& node, Variables& variables) const {
  if (!node.computes) return {};
  return Value::document(apply(node, wire::DocumentView(), variables));
}

Value ProjectionTree::apply_to_value(const Node& node, ValueView value, Variables& variables) const {
  if (value.is(Type::Document)) return Value::document(apply(node, value.as_document(), variables));
  if (value.is(Type::Array)) {
    ArrayBuilder out;
    for (const wire::Element& element : value.as_document())
      if (const Value item = apply_to_value(node, element.value, variables)) out.add(item);
    return out.finish();
  }
  // A scalar has no such path: an inclusion drops it, and what computes puts a document in its place.
  if (node.computes) return made_from_nothing(node, variables);
  return mode_ == TreeMode::Inclusion ? Value() : Value(value);
}

}  // namespace emulator
