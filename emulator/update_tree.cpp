#include "emulator/update_tree.h"

#include "emulator/command_error.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

void check_rename(std::string_view field, const UpdatePath& from, ValueView argument, const UpdatePath& to) {
  auto starts_with = [](const UpdatePath& path, const UpdatePath& prefix) {
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
  };
  std::string element = std::string(field) + ": " + wire::shell_value_text(argument);
  if (argument.as_string().find('\0') != std::string_view::npos)
    throw CommandError(2, "The 'to' field for $rename cannot contain an embedded null byte");
  if (from == to) throw CommandError(2, "The source and target field for $rename must differ: " + element);
  if (starts_with(from, to) || starts_with(to, from))
    throw CommandError(2, "The source and target field for $rename must not be on the same path: " + element);
  auto check_static = [](const UpdatePath& path, const char* side) {
    for (std::string_view component : path)
      if (is_positional(component) || is_array_filter(component))
        throw CommandError(2, std::string("The ") + side + " field for $rename may not be dynamic: " + join_path(path));
  };
  check_static(from, "source");
  check_static(to, "destination");
}

[[noreturn]] void conflict(std::string_view dotted, const UpdatePath& path, std::size_t count) {
  throw CommandError(40, "Updating the path '" + std::string(dotted) + "' would create a conflict at '" +
                             join_path(path, count) + "'");
}

}  // namespace

void UpdateTreeBuilder::add(const UpdateOperatorSpec& spec, std::string_view field, ValueView argument) {
  auto leaf = std::make_shared<UpdateNode>(order_);
  leaf->kind = UpdateNode::Kind::Operator;
  leaf->spec = &spec;
  if (spec.form == OperatorForm::Modifier) {
    const UpdatePath path = split_update_path(field);
    check_positional(path, field);
    leaf->modifier = spec.parse(field, argument, context_);
    insert(path, field, std::move(leaf));
    return;
  }
  auto reserved = std::make_shared<UpdateNode>(order_);
  reserved->kind = UpdateNode::Kind::Reserved;
  UpdatePath from = split_update_path(field);
  check_positional(from, field);
  insert(from, field, std::move(reserved));
  if (!argument.is(Type::String))
    throw CommandError(2, "The 'to' field for $rename must be a string: " + std::string(field) + ": " +
                              wire::shell_value_text(argument));
  UpdatePath to = split_update_path(argument.as_string());
  check_positional(to, argument.as_string());
  check_rename(field, from, argument, to);
  leaf->rename_source = std::move(from);
  insert(to, argument.as_string(), std::move(leaf));
}

void UpdateTreeBuilder::check_positional(const UpdatePath& path, std::string_view dotted) {
  int positional = 0;
  for (std::string_view component : path) positional += is_positional(component) ? 1 : 0;
  if (positional > 1)
    throw CommandError(2, "Too many positional (i.e. '$') elements found in path '" + std::string(dotted) + "'");
  if (is_positional(path[0]))
    throw CommandError(
        2, "Cannot have positional (i.e. '$') element in the first position in path '" + std::string(dotted) + "'");
  uses_positional_ = uses_positional_ || positional > 0;
}

void UpdateTreeBuilder::check_array_filter(const UpdatePath& path, std::size_t at, std::string_view dotted) {
  if (at == 0)
    throw CommandError(2,
                       "Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '" +
                           std::string(dotted) + "'");
  const std::string_view id = array_filter_id(path[at]);
  if (id.empty()) return;
  const auto filter = filters_.find(id);
  if (filter == filters_.end())
    throw CommandError(
        2, "No array filter found for identifier '" + std::string(id) + "' in path '" + std::string(dotted) + "'");
  filter->second = true;
}

void UpdateTreeBuilder::insert(const UpdatePath& path, std::string_view dotted, std::shared_ptr<UpdateNode> leaf) {
  UpdateNode* node = root_.get();
  for (std::size_t i = 0; i < path.size(); ++i) {
    bool filtered = is_array_filter(path[i]);
    if (filtered) check_array_filter(path, i, dotted);
    UpdateNodePtr& child =
        is_positional(path[i]) ? node->positional : node->children[filtered ? array_filter_id(path[i]) : path[i]];
    if (i + 1 == path.size()) {
      if (child) conflict(dotted, path, path.size());
      child = std::move(leaf);
      return;
    }
    auto kind = is_array_filter(path[i + 1]) ? UpdateNode::Kind::Array : UpdateNode::Kind::Object;
    if (!child) {
      auto made = std::make_shared<UpdateNode>(order_);
      made->kind = kind;
      child = std::move(made);
    }
    if (child->kind != kind) conflict(dotted, path, i + 1);
    node = child.get();
  }
}

UpdateNodePtr merge_updates(const UpdateNodePtr& left, const UpdateNodePtr& right, const std::string& path) {
  if (left->kind != right->kind || (left->kind != UpdateNode::Kind::Object && left->kind != UpdateNode::Kind::Array))
    throw CommandError(40, "Update created a conflict at '" + path + "'");
  auto merged = std::make_shared<UpdateNode>(*left);
  for (const auto& [name, child] : right->children) {
    UpdateNodePtr& slot = merged->children[name];
    std::string component = left->kind == UpdateNode::Kind::Array ? "$[" + std::string(name) + "]" : std::string(name);
    slot = slot ? merge_updates(slot, child, path + "." + component) : child;
  }
  if (right->positional)
    merged->positional =
        merged->positional ? merge_updates(merged->positional, right->positional, path + ".$") : right->positional;
  return merged;
}

}  // namespace emulator
