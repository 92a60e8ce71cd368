// UpdateApplication: paths in the document.
#include <algorithm>

#include "emulator/command_error.h"
#include "emulator/update_apply.h"
#include "wire/value_text.h"

namespace emulator {
namespace {

using wire::Type;
using wire::ValueView;

// Nulls that an index far beyond an array's end may add (kMaxPaddingAllowed).
constexpr std::size_t padding_max = 1'500'000;

void check_beside_removed(std::string_view name, const std::string& prefix) {
  static const EditableValue null(ValueView(Type::Null, {}));
  if (!is_db_ref_name(name)) check_dollar_name(name, null, prefix + std::string(name));
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string element_text(std::string_view name, const EditableValue& value) {
  return std::string(name) + ": " + wire::shell_value_text(value.whole());
}

UpdateApplication::Place UpdateApplication::locate(const UpdatePath& path) {
  Place place{&document_.root(), 0, {}};
  while (place.depth < path.size()) {
    EditableValue::Field* next = place.value->find_field(path[place.depth]);
    if (!next) break;
    place = {&next->value, place.depth + 1, next->name};
  }
  return place;
}

std::string UpdateApplication::named_path(const UpdatePath& path, std::size_t count) {
  UpdatePath names;
  EditableValue* value = &document_.root();
  for (std::size_t i = 0; i < count; ++i) {
    EditableValue::Field* next = value == nullptr ? nullptr : value->find_field(path[i]);
    names.push_back(next == nullptr ? path[i] : next->name);
    value = next == nullptr ? nullptr : &next->value;
  }
  return join_path(names);
}

void UpdateApplication::check_viable(const Place& place) const {
  std::string_view next = path_[place.depth];
  if (place.value->is_object() || (place.value->is_array() && is_digits(next))) return;
  throw CommandError(28, "Cannot use the part (" + std::string(next) + ") of (" + join_path(path_) +
                             ") to traverse the element ({" + element_text(place.name, *place.value) + "})");
}

// Puts the value at the end of the path, inside new objects for the components that are missing.
void UpdateApplication::attach(const Place& place, ValueView value) {
  std::string_view next = path_[place.depth];
  std::optional<std::size_t> index = place.value->is_array() ? array_index(next) : std::nullopt;
  if (!place.value->is_object() && !index)
    throw CommandError(28, "Cannot create field '" + std::string(next) + "' in element {" +
                               element_text(place.name, *place.value) + "}");
  if (place.depth == 0) check_top_level_name(next);
  for (std::size_t i = path_.size() - 1; i > place.depth; --i) {
    wire::DocumentBuilder parent;
    parent.append(path_[i], value);
    value = document_.keep(wire::Value::document(parent.view()));
  }
  std::vector<EditableValue::Field>& fields = place.value->fields();
  if (index) {
    if (*index > fields.size() + padding_max)
      throw CommandError(34, "can't backfill more than " + std::to_string(padding_max) + " elements");
    static constexpr ValueView null(Type::Null, {});
    while (fields.size() < *index) fields.push_back({{}, EditableValue(null)});
  }
  // An element that is made only to be led through has no name.
  const bool is_end = path_.size() - 1 == place.depth;
  fields.push_back({index && !is_end ? std::string_view() : next, EditableValue(value)});
}

// A whole new document may have such a name, an old one gets none.
void UpdateApplication::check_top_level_name(std::string_view name) const {
  const bool allowed = input_.applies_to == AppliesTo::InsertOnly || input_.dollar_names == DollarNames::Refused;
  if (!name.starts_with('$') || allowed) return;
  throw CommandError(52, "The dollar ($) prefixed field '" + std::string(name) + "' in '" + std::string(name) +
                             "' is not allowed in the context of an update's replacement document. Consider using an "
                             "aggregation pipeline with $replaceWith.");
}

// What an upsert inserts is judged as a whole.
bool UpdateApplication::judges_dollar_names() const {
  return input_.dollar_names == DollarNames::Refused && input_.applies_to != AppliesTo::InsertOnly;
}

// Only where a message may show it.
void UpdateApplication::name_added(const Modifier& modifier, EditableValue& value) const {
  if (input_.dollar_names != DollarNames::Refused || !value.is_array() || !has_dollar_names(value.whole())) return;
  for (auto& [name, element] : value.fields())
    if (const std::optional<std::string_view> own = modifier.name_of_added(element.whole())) name = *own;
}

// Where no such name is stored: the first field that is new, and all below it.
void UpdateApplication::check_created(const Place& place) {
  const auto& [name, created] = place.value->fields().back();
  std::string path = named_path(path_, place.depth);
  if (place.depth > 0) path += '.';
  path += name;
  if (place.value->is_array())
    check_dollar_names(created, path);
  else
    check_dollar_name(name, created, path);
}

void UpdateApplication::check_changed(const EditableValue& value) {
  if (path_.size() == 1) check_top_level_name(path_[0]);
  if (!judges_dollar_names()) return;
  // Of a DBRef's fields none but the value is new.
  const std::string_view name = path_.back();
  check_dollar_name(is_db_ref_name(name) ? std::string_view() : name, value, named_path(path_, path_.size()));
}

// A stored `_id` keeps every byte, so nothing may be added below it either.
void UpdateApplication::check_id_after_creation(const Place& place) {
  if (path_[0] != "_id" || place.depth == 0 || !input_.original.has("_id")) return;
  throw CommandError(
      66, "Updating the path '_id' to _id: " + wire::shell_value_text(document_.root().find("_id")->whole()) +
              " would modify the immutable field '_id'");
}

void UpdateApplication::remove(const UpdatePath& path, Logging logging) {
  UpdatePath above(path.begin(), path.end() - 1);
  EditableValue& parent = *locate(above).value;
  if (parent.is_array()) {
    static constexpr ValueView null(Type::Null, {});
    parent.find(path.back())->set(null);
  } else {
    std::vector<EditableValue::Field>& fields = parent.fields();
    const auto next = fields.erase(std::ranges::find(fields, path.back(), &EditableValue::Field::name));
    // Where no such name is stored, the fields on both sides are judged anew.
    if (judges_dollar_names()) {
      const std::string prefix = above.empty() ? std::string() : named_path(above, above.size()) + ".";
      if (next != fields.begin()) check_beside_removed(std::prev(next)->name, prefix);
      if (next != fields.end()) check_beside_removed(next->name, prefix);
    }
  }
  if (logging == Logging::On) input_.log->removed(document_, path);
}

namespace {

// Unlike $set it counts as a change even where the destination has the same value already.
class MovedValue : public Modifier {
 public:
  explicit MovedValue(ValueView value) : value_(value) {}
  UpdateOutcome modify(const UpdateTarget&) const override { return UpdateOutcome::changed(value_); }

 private:
  ValueView value_;
};

}  // namespace

// The value moves as one $set at the destination and one $unset at the source.
bool UpdateApplication::apply_rename(const UpdateNode& node, Logging logging) {
  const UpdatePath& from = node.rename_source;
  Place source = locate(from);
  if (source.depth < from.size()) {
    if (source.value->is_object() || (source.value->is_array() && is_digits(from[source.depth]))) return false;
    throw CommandError(28, "cannot use the part (" + std::string(from[source.depth - 1]) + " of " + join_path(from) +
                               ") to traverse the element ({" + element_text(source.name, *source.value) + "})");
  }
  auto refuse_arrays = [this](const UpdatePath& path, const char* side) {
    EditableValue* value = &document_.root();
    std::optional<std::string_view> nearest;
    for (std::size_t i = 0; value && i + 1 < path.size(); ++i) {
      EditableValue::Field* field = value->find_field(path[i]);
      value = field ? &field->value : nullptr;
      if (value && value->is_array()) nearest = field->name;
    }
    if (nearest)
      throw CommandError(2, std::string("The ") + side + " field cannot be an array element, '" + join_path(path) +
                                "' in doc with " + target({}).id_text() + " has an array field called '" +
                                std::string(*nearest) + "'");
  };
  refuse_arrays(from, "source");
  refuse_arrays(path_, "destination");
  if (path_.size() == 1) check_top_level_name(path_[0]);
  path_text_ = join_path(path_);
  MovedValue move(document_.keep(source.value->whole()));
  Place place = locate(path_);
  if (place.depth == path_.size()) {
    if (change(move, place, logging)) check_changed(*place.value);
  } else {
    create(move, place, logging);
  }
  if (from[0] == "_id")
    throw CommandError(
        66, "Performing an update on the path '" + join_path(from) + "' would modify the immutable field '_id'");
  remove(from, logging);
  return true;
}

}  // namespace emulator
