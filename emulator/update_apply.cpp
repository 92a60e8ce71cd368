#include "emulator/update_apply.h"

#include <memory>

#include "emulator/command_error.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::Value;
using wire::ValueView;

[[noreturn]] void immutable_id(const std::string& path) {
  throw CommandError(66, "Performing an update on the path '" + path + "' would modify the immutable field '_id'");
}

}  // namespace

UpdateApplication::UpdateApplication(const Input& input) : input_(input), document_(input.original) {}

void UpdateApplication::apply(const UpdateNodePtr& root) {
  changed_ = apply_node(*root, input_.log ? Logging::On : Logging::Off);
}

bool UpdateApplication::apply_node(const UpdateNode& node, Logging logging) {
  switch (node.kind) {
    case UpdateNode::Kind::Object:
      return apply_object(node, logging);
    case UpdateNode::Kind::Array:
      return apply_array(node, logging);
    case UpdateNode::Kind::Operator:
      return node.spec->form == OperatorForm::Rename ? apply_rename(node, logging) : apply_operator(node, logging);
    case UpdateNode::Kind::Reserved:
      return false;
  }
  return false;
}

bool UpdateApplication::apply_child(const UpdateNode& child, std::string_view name, Logging logging) {
  path_.push_back(name);
  bool changed = apply_node(child, logging);
  path_.pop_back();
  return changed;
}

// The child "$" comes before the first of the others that its index, read as a text, comes before.
bool UpdateApplication::apply_object(const UpdateNode& node, Logging logging) {
  const UpdateNode* positional = node.positional.get();
  if (positional && input_.matched_index.empty())
    throw CommandError(2, "The positional operator did not find the match needed from the query.");
  bool changed = false;
  for (const auto& [name, child] : node.children) {
    if (positional && name == input_.matched_index) {
      UpdateNodePtr merged = merge_updates(child, node.positional, join_path(path_) + "." + std::string(name));
      changed |= apply_child(*merged, name, logging);
      positional = nullptr;
      continue;
    }
    if (positional && input_.matched_index < name) {
      changed |= apply_child(*positional, input_.matched_index, logging);
      positional = nullptr;
    }
    changed |= apply_child(*child, name, logging);
  }
  if (positional) changed |= apply_child(*positional, input_.matched_index, logging);
  return changed;
}

// One selected element logs for itself; of several the whole array is logged, or the only element that changed.
bool UpdateApplication::apply_array(const UpdateNode& node, Logging logging) {
  Place place = locate(path_);
  if (place.depth < path_.size())
    throw CommandError(
        2, "The path '" + join_path(path_) + "' must exist in the document in order to apply array updates.");
  if (!place.value->is_array())
    throw CommandError(2, "Cannot apply array updates to non-array element " + element_text(place.name, *place.value));

  std::map<std::size_t, std::vector<UpdateNodePtr>> selected;
  const std::size_t count = place.value->fields().size();
  for (const auto& [id, child] : node.children) {
    const ElementPredicate* filter = id.empty() ? nullptr : &input_.filters.at(id);
    for (std::size_t i = 0; i < count; ++i) {
      if (filter && !(*filter)(place.value->fields()[i].value.whole())) continue;
      selected[i].push_back(child);
    }
  }
  Logging children = selected.size() <= 1 ? logging : Logging::Off;
  std::size_t changed_count = 0;
  std::string_view changed_name;
  for (const auto& [index, updates] : selected) {
    std::string_view name = index_names_.emplace_back(std::to_string(index));
    UpdateNodePtr update = updates.front();
    for (std::size_t i = 1; i < updates.size(); ++i)
      update = merge_updates(update, updates[i], join_path(path_) + "." + std::string(name));
    if (!apply_child(*update, name, children)) continue;
    ++changed_count;
    changed_name = name;
  }
  if (selected.size() > 1 && changed_count > 0 && logging == Logging::On) {
    UpdatePath reported = path_;
    if (changed_count == 1) reported.push_back(changed_name);
    input_.log->updated(document_, reported);
  }
  return changed_count > 0;
}

bool UpdateApplication::apply_operator(const UpdateNode& node, Logging logging) {
  if (node.spec->applies_to == AppliesTo::InsertOnly && input_.applies_to != AppliesTo::InsertOnly) return false;
  Place place = locate(path_);
  path_text_ = join_path(path_);
  if (place.depth == path_.size()) {
    const bool changed = change(*node.modifier, place, logging);
    // What only takes away is not judged by where it stands.
    if (changed && node.spec->on_missing == OnMissing::Create) check_changed(*place.value);
    return changed;
  }
  if (node.spec->on_missing == OnMissing::Create) return create(*node.modifier, place, logging);
  if (node.spec->on_missing == OnMissing::NotViable28) check_viable(place);
  return false;
}

bool UpdateApplication::change(const Modifier& modifier, const Place& place, Logging logging) {
  EditableValue& value = *place.value;
  Value before = value.whole();
  UpdateTarget to = target(before);
  to.name = place.name;
  UpdateOutcome outcome = modifier.modify(to);
  if (outcome.kind == UpdateOutcome::Kind::Unchanged) return false;
  if (path_[0] == "_id" && input_.original.has("_id")) immutable_id(path_text_);
  if (outcome.kind == UpdateOutcome::Kind::Rewritten) {
    if (logging == Logging::On) input_.log->updated(document_, path_);
    return false;
  }
  if (outcome.kind == UpdateOutcome::Kind::Removed) {
    remove(path_, logging);
    return true;
  }
  value.set(document_.keep(std::move(outcome.value)));
  name_added(modifier, value);
  if (logging == Logging::Off) return true;
  if (outcome.kind == UpdateOutcome::Kind::Appended)
    input_.log->appended(document_, path_, outcome.appended);
  else
    input_.log->updated(document_, path_);
  return true;
}

bool UpdateApplication::create(const Modifier& modifier, const Place& place, Logging logging) {
  UpdateOutcome outcome = modifier.modify(target({}));
  attach(place, document_.keep(std::move(outcome.value)));
  if (input_.dollar_names == DollarNames::Refused) name_added(modifier, *locate(path_).value);
  if (judges_dollar_names()) check_created(place);
  check_id_after_creation(place);
  if (logging == Logging::On) input_.log->created(document_, path_, place.depth);
  return true;
}

UpdateTarget UpdateApplication::target(ValueView value) {
  return {value, path_.back(), path_text_, &document_, input_.time};
}

}  // namespace emulator
