#include "emulator/update_log.h"

namespace emulator {
namespace {

DiffTree::Level level_of(const EditableValue& value) {
  return value.is_array() ? DiffTree::Level::Array : DiffTree::Level::Object;
}

DiffTree* descend(DiffTree& level, std::string_view component, DiffTree::Level below) {
  return level.level() == DiffTree::Level::Array ? level.descend(*array_index(component), below)
                                                 : level.descend(component, below);
}

EditableValue& at(EditableDocument& document, const UpdatePath& path) {
  EditableValue* value = &document.root();
  for (std::string_view component : path) value = value->find(component);
  return *value;
}

}  // namespace

wire::Document diff_entry(wire::DocumentView diff) {
  wire::DocumentBuilder out;
  return out.append_int32("$v", 2).append_document("diff", diff).finish();
}

DiffTree* DiffLog::level(EditableDocument& document, const UpdatePath& path, std::size_t count) {
  DiffTree* level = &tree_;
  EditableValue* value = &document.root();
  for (std::size_t i = 0; level && i + 1 < count; ++i) {
    value = value->find(path[i]);
    level = descend(*level, path[i], level_of(*value));
  }
  return level;
}

void DiffLog::updated(EditableDocument& document, const UpdatePath& path) {
  DiffTree* above = level(document, path, path.size());
  if (!above) return;
  if (above->level() == DiffTree::Level::Array)
    above->update(*array_index(path.back()), {});
  else
    above->update(path.back(), {});
}

void DiffLog::created(EditableDocument& document, const UpdatePath& path, std::size_t existing) {
  DiffTree* above = level(document, path, existing + 1);
  if (!above) return;
  if (above->level() == DiffTree::Level::Array)
    above->update(*array_index(path[existing]), {});
  else
    above->insert(path[existing], {});
}

void DiffLog::appended(EditableDocument& document, const UpdatePath& path, std::size_t count) {
  DiffTree* above = level(document, path, path.size());
  DiffTree* array = above ? descend(*above, path.back(), DiffTree::Level::Array) : nullptr;
  if (!array) return;
  const std::size_t length = at(document, path).fields().size();
  for (std::size_t i = length - count; i < length; ++i) array->update(i, {});
}

void DiffLog::removed(EditableDocument& document, const UpdatePath& path) {
  DiffTree* above = level(document, path, path.size());
  if (!above) return;
  if (above->level() == DiffTree::Level::Array)
    above->update(*array_index(path.back()), {});
  else
    above->remove(path.back());
}

wire::Document DiffLog::entry(wire::DocumentView post) {
  tree_.resolve(post);
  wire::DocumentBuilder diff;
  tree_.write(diff);
  return diff_entry(diff.view());
}

void SetAndUnsetLog::set(std::string path, const EditableValue& value) {
  sets_.push_back({std::move(path), value.whole()});
}

void SetAndUnsetLog::updated(EditableDocument& document, const UpdatePath& path) {
  set(join_path(path), at(document, path));
}

void SetAndUnsetLog::created(EditableDocument& document, const UpdatePath& path, std::size_t /*existing*/) {
  updated(document, path);
}

void SetAndUnsetLog::appended(EditableDocument& document, const UpdatePath& path, std::size_t count) {
  const std::vector<EditableValue::Field>& elements = at(document, path).fields();
  for (std::size_t i = elements.size() - count; i < elements.size(); ++i)
    set(join_path(path) + "." + std::to_string(i), elements[i].value);
}

void SetAndUnsetLog::removed(EditableDocument& /*document*/, const UpdatePath& path) {
  if (sets_.empty()) unset_first_ = true;
  unsets_.push_back(join_path(path));
}

void SetAndUnsetLog::append_sets(wire::DocumentBuilder& out) const {
  if (sets_.empty()) return;
  out.begin_document("$set");
  for (const Set& set : sets_) out.append(set.path, set.value);
  out.end();
}

void SetAndUnsetLog::append_unsets(wire::DocumentBuilder& out) const {
  if (unsets_.empty()) return;
  out.begin_document("$unset");
  for (const std::string& path : unsets_) out.append_bool(path, true);
  out.end();
}

wire::Document SetAndUnsetLog::entry(wire::DocumentView /*post*/) {
  wire::DocumentBuilder out;
  out.append_int32("$v", 1);
  if (unset_first_) append_unsets(out);
  append_sets(out);
  if (!unset_first_) append_unsets(out);
  return out.finish();
}

}  // namespace emulator
