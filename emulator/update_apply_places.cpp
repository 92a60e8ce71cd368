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
  if (name != "$ref" && name != "$id" && name != "$db") check_dollar_name(name, {}, prefix + std::string(name));
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

UpdateApplication::Place UpdateApplication::locate(const UpdatePath& path) {
  Place place{&document_.root(), 0};
  while (place.depth < path.size()) {
    EditableValue* next = place.value->find(path[place.depth]);
    if (!next) break;
    place = {next, place.depth + 1};
  }
  return place;
}

// An array's element is known by its number, however many zeros the path writes in front of it.
std::string_view UpdateApplication::name_of_last() {
  const std::string_view name = path_.back();
  if (name.size() < 2 || name[0] != '0' || !is_digits(name)) return name;
  const UpdatePath above(path_.begin(), path_.end() - 1);
  if (!locate(above).value->is_array()) return name;
  return name.substr(std::min(name.find_first_not_of('0'), name.size() - 1));
}

std::string UpdateApplication::last_element_text(const UpdatePath& path, const Place& place) const {
  return std::string(place.depth ? path[place.depth - 1] : "") + ": " + wire::shell_value_text(place.value->whole());
}

void UpdateApplication::check_viable(const Place& place) const {
  std::string_view next = path_[place.depth];
  if (place.value->is_object() || (place.value->is_array() && is_digits(next))) return;
  throw CommandError(28, "Cannot use the part (" + std::string(next) + ") of (" + join_path(path_) +
                             ") to traverse the element ({" + last_element_text(path_, place) + "})");
}

// Puts the value at the end of the path, inside new objects for the components that are missing.
void UpdateApplication::attach(const Place& place, ValueView value) {
  std::string_view next = path_[place.depth];
  std::optional<std::size_t> index = place.value->is_array() ? array_index(next) : std::nullopt;
  if (!place.value->is_object() && !index)
    throw CommandError(
        28, "Cannot create field '" + std::string(next) + "' in element {" + last_element_text(path_, place) + "}");
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
  fields.push_back({index ? std::string_view() : next, EditableValue(value)});
}

// A whole new document may have such a name, an old one gets none.
void UpdateApplication::check_top_level_name(std::string_view name) const {
  const bool allowed = input_.applies_to == AppliesTo::InsertOnly || input_.dollar_names == DollarNames::Refused;
  if (!name.starts_with('$') || allowed) return;
  throw CommandError(52, "The dollar ($) prefixed field '" + std::string(name) + "' in '" + std::string(name) +
                             "' is not allowed in the context of an update's replacement document. Consider using an "
                             "aggregation pipeline with $replaceWith.");
}

// Where no such name is stored: the first field that is new, and all below it.
void UpdateApplication::check_created(const Place& place) const {
  const EditableValue& created = place.value->fields().back().value;
  const std::string path = join_path(path_, place.depth + 1);
  if (place.value->is_array())
    check_dollar_names(created.whole(), path);
  else
    check_dollar_name(path_[place.depth], created.whole(), path);
}

void UpdateApplication::check_changed(const EditableValue& value) const {
  if (path_.size() == 1) check_top_level_name(path_[0]);
  if (input_.dollar_names != DollarNames::Refused || input_.applies_to == AppliesTo::InsertOnly) return;
  // Of a DBRef's fields none but the value is new.
  const std::string_view name = path_.back();
  const bool of_db_ref = name == "$ref" || name == "$id" || name == "$db";
  check_dollar_name(of_db_ref ? std::string_view() : name, value.whole(), path_text_);
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
    if (input_.dollar_names == DollarNames::Refused && input_.applies_to != AppliesTo::InsertOnly) {
      const std::string prefix = above.empty() ? std::string() : join_path(above) + ".";
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
                               ") to traverse the element ({" + last_element_text(from, source) + "})");
  }
  auto refuse_arrays = [this](const UpdatePath& path, const char* side) {
    EditableValue* value = &document_.root();
    std::optional<std::string_view> nearest;
    for (std::size_t i = 0; value && i + 1 < path.size(); ++i) {
      value = value->find(path[i]);
      if (value && value->is_array()) nearest = path[i];
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
    if (change(move, *place.value, logging)) check_changed(*place.value);
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
