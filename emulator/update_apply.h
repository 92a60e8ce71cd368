// Walks the operators of one update over one document, and tells a log what they change. Knows no update command.
#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "emulator/dollar_names.h"
#include "emulator/editable_document.h"
#include "emulator/update_log.h"
#include "emulator/update_tree.h"

namespace emulator {

using ElementPredicate = std::function<bool(wire::ValueView)>;
// By id.
using ArrayFilters = std::map<std::string_view, ElementPredicate>;

// "a: 1", as messages show an element.
std::string element_text(std::string_view name, const EditableValue& value);

class UpdateApplication {
 public:
  struct Input {
    wire::DocumentView original;               // as stored; for an upsert the fields that the query gave
    std::string_view matched_index;            // for "$": the array element that the query matched, empty: none
    AppliesTo applies_to = AppliesTo::Always;  // InsertOnly: an upsert inserts, so $setOnInsert applies
    UpdateTime time;
    const ArrayFilters& filters;
    UpdateLog* log = nullptr;  // nullptr: nobody asks
    DollarNames dollar_names = DollarNames::Stored;
  };

  explicit UpdateApplication(const Input& input);

  // Throws CommandError (2, 28, 40, 52, 66, and the operators' own).
  void apply(const UpdateNodePtr& root);
  bool changed() const { return changed_; }
  EditableDocument& document() { return document_; }

 private:
  // How far a path leads into the document: the value at its end, or the last value on the way.
  struct Place {
    EditableValue* value;
    std::size_t depth;      // components taken
    std::string_view name;  // the value's own
  };
  enum class Logging : std::uint8_t { Off, On };

  // Each returns whether it changed something.
  bool apply_node(const UpdateNode& node, Logging logging);
  bool apply_object(const UpdateNode& node, Logging logging);
  bool apply_child(const UpdateNode& child, std::string_view name, Logging logging);
  bool apply_array(const UpdateNode& node, Logging logging);
  bool apply_operator(const UpdateNode& node, Logging logging);
  bool apply_rename(const UpdateNode& node, Logging logging);

  bool change(const Modifier& modifier, const Place& place, Logging logging);
  bool create(const Modifier& modifier, const Place& place, Logging logging);
  void remove(const UpdatePath& path, Logging logging);

  Place locate(const UpdatePath& path);
  UpdateTarget target(wire::ValueView value);
  // The path, its elements of arrays by their own names.
  std::string named_path(const UpdatePath& path, std::size_t count);
  void check_viable(const Place& place) const;
  void attach(const Place& place, wire::ValueView value);
  void check_top_level_name(std::string_view name) const;
  bool judges_dollar_names() const;
  void name_added(const Modifier& modifier, EditableValue& value) const;
  void check_created(const Place& place);
  void check_changed(const EditableValue& value);
  void check_id_after_creation(const Place& place);

  Input input_;
  EditableDocument document_;
  bool changed_ = false;
  UpdatePath path_;  // where the walk stands
  std::string path_text_;
  std::deque<std::string> index_names_;
};

}  // namespace emulator
