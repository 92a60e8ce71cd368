#include "emulator/store/projection_tree.h"

#include <algorithm>

#include "emulator/array_builder.h"
#include "wire/document_places.h"

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
  if (mode_ == TreeMode::Addition) return computed(root_, document, variables);
  const bool copies = mode_ == TreeMode::Inclusion && form_ == TreeForm::Since4_4 && !root_.computes;
  if (copies && !wire::is_changed(document)) return copied(root_, document);
  const wire::Document out = kept(root_, document);
  const bool comes_again = mode_ == TreeMode::Inclusion && form_ == TreeForm::Until4_2;
  return root_.computes || comes_again ? computed(root_, out, variables) : out;
}

wire::Document ProjectionTree::kept(const Node& node, wire::DocumentView document) const {
  return mode_ == TreeMode::Inclusion ? included(node, document) : not_excluded(node, document);
}

wire::Document ProjectionTree::included(const Node& node, wire::DocumentView document) const {
  wire::DocumentBuilder out;
  out.append({}, wire::change_mark);
  for (const auto& [name, value] : document) {
    const std::size_t i = node.index_of(name);
    if (i == node.entries.size()) continue;
    const Entry& entry = node.entries[i];
    if (entry.child)
      append_placed(out, name, kept_in_value(*entry.child, value));
    else if (entry.leaf == Leaf::Kept)
      out.append(name, value);
  }
  return out.finish();
}

wire::Document ProjectionTree::not_excluded(const Node& node, wire::DocumentView document) const {
  wire::DocumentBuilder out;
  wire::Element field;
  std::vector<bool> met(node.entries.size());
  bool changed = false;
  for (wire::PlacedFields fields(document); fields.next(field);) {
    const std::size_t i = node.index_of(field.name);
    const Entry* entry = i < node.entries.size() ? &node.entries[i] : nullptr;
    if (entry) met[i] = true;
    if (!entry || !field.value || (!entry->child && entry->leaf != Leaf::Dropped)) {
      append_placed(out, field.name, field.value);
      continue;
    }
    append_placed(out, field.name, entry->child ? kept_in_value(*entry->child, field.value) : Value());
    changed = true;
  }
  const auto append_unmet = [&](auto&& is_wanted) {
    for (std::size_t i = 0; i < node.entries.size(); ++i)
      if (!met[i] && is_wanted(node.entries[i])) append_placed(out, node.entries[i].name, {});
  };
  if (form_ == TreeForm::Until4_2) {
    append_unmet([](const Entry& entry) { return entry.child == nullptr; });
    append_unmet([](const Entry& entry) { return entry.child != nullptr; });
  }
  return changed || wire::is_changed(document) ? wire::as_changed(out.view()) : out.finish();
}

Value ProjectionTree::kept_in_value(const Node& node, ValueView value) const {
  if (value.is(Type::Document)) return Value::document(kept(node, value.as_document()));
  if (value.is(Type::Array)) {
    ArrayBuilder out;
    for (const wire::Element& element : value.as_document()) out.add(kept_in_value(node, element.value));
    return out.finish();
  }
  // A scalar has no such path.
  return mode_ == TreeMode::Inclusion ? Value() : Value(value);
}

wire::Document ProjectionTree::computed(const Node& node, wire::DocumentView document, Variables& variables) const {
  // What fails first is what the specification names first, wherever the document has it.
  std::vector<Value> values(node.entries.size());
  const auto is_set = [&](std::size_t i) { return node.entries[i].child || node.entries[i].leaf == Leaf::Computed; };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Entry& entry = node.entries[i];
    if (entry.child)
      values[i] = computed_in_value(*entry.child, document.find(entry.name), variables);
    else if (entry.leaf == Leaf::Computed)
      values[i] = entry.expression->evaluate(variables);
  }
  wire::DocumentBuilder out;
  wire::Element field;
  std::vector<bool> written(values.size());
  out.append({}, wire::change_mark);
  for (wire::PlacedFields fields(document); fields.next(field);) {
    const std::size_t i = node.index_of(field.name);
    const bool set = i < values.size() && is_set(i);
    append_placed(out, field.name, set ? values[i].view() : field.value);
    if (set) written[i] = true;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!written[i] && is_set(i)) append_placed(out, node.entries[i].name, values[i]);
  return out.finish();
}

Value ProjectionTree::computed_in_value(const Node& node, ValueView value, Variables& variables) const {
  if (value.is(Type::Document)) return Value::document(computed(node, value.as_document(), variables));
  if (value.is(Type::Array)) {
    ArrayBuilder out;
    for (const wire::Element& element : value.as_document()) out.add(computed_in_value(node, element.value, variables));
    return out.finish();
  }
  // What computes puts a document in a scalar's place.
  if (node.computes) return Value::document(computed(node, wire::DocumentView(), variables));
  return mode_ == TreeMode::Inclusion ? Value() : Value(value);
}

wire::Document ProjectionTree::copied(const Node& node, wire::DocumentView document) const {
  wire::DocumentBuilder out;
  for (const auto& [name, value] : document) {
    const std::size_t i = node.index_of(name);
    if (i == node.entries.size()) continue;
    const Entry& entry = node.entries[i];
    if (!entry.child)
      out.append(name, value);
    else if (const Value below = copied_value(*entry.child, value))
      out.append(name, below);
  }
  return out.finish();
}

Value ProjectionTree::copied_value(const Node& node, ValueView value) const {
  if (value.is(Type::Document)) return Value::document(copied(node, value.as_document()));
  if (!value.is(Type::Array)) return {};
  ArrayBuilder out;
  for (const wire::Element& element : value.as_document())
    if (const Value item = copied_value(node, element.value)) out.add(item);
  return out.finish();
}

}  // namespace emulator
