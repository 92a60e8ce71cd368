// An update operator is a file of this folder: it defines its row, and no other file is edited to add it.
// table-type: UpdateOperatorSpec
// table-suffix: operator
// table-accessor: all_update_operators
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "emulator/expression.h"
#include "wire/document.h"

namespace emulator {

class EditableDocument;

// Where an update's times come from: $currentDate, and the empty timestamps of a replacement.
struct UpdateTime {
  std::int64_t wall_ms = 0;
  wire::Timestamp cluster_time{};
};

// What an operator is applied to. `value` is missing when the path leads to nothing yet.
struct UpdateTarget {
  wire::ValueView value;
  std::string_view name;       // the last component; an array element's own (editable_document.h)
  std::string_view path;       // dotted, positional components resolved
  EditableDocument* document;  // as it stands
  UpdateTime time;

  // "_id: 1", as messages name a document, or `otherwise` without one.
  std::string id_text(std::string_view otherwise = "no id") const;
};

// What becomes of the target. Appended: `value` is the old array with `appended` more elements at its end. Rewritten: the
// value that it had, logged beside what else changes; alone it is no change.
struct UpdateOutcome {
  enum class Kind : std::uint8_t { Unchanged, Rewritten, Changed, Appended, Removed } kind = Kind::Unchanged;
  wire::Value value;
  std::size_t appended = 0;

  static UpdateOutcome changed(wire::Value to) { return {Kind::Changed, std::move(to), 0}; }
};

// One operator at one path, parsed. Pure: what it needs comes in the target.
class Modifier {
 public:
  virtual ~Modifier() = default;
  virtual UpdateOutcome modify(const UpdateTarget& target) const = 0;
  // What an element is called that it added to an array, as messages until 4.4 show it; nullopt: it added no such one.
  virtual std::optional<std::string_view> name_of_added(wire::ValueView /*element*/) const { return std::nullopt; }
};

// What an operator does where its path leads to nothing.
enum class OnMissing : std::uint8_t {
  Create,      // modify() makes the new value
  Nothing,     // nothing, even where the path could not be created
  NotViable28  // nothing, but error 28 where the path could not be created
};
enum class AppliesTo : std::uint8_t { Always, InsertOnly };
// How an `_id` is refused that it made an array, when an upsert inserts: by its type (53), or, from 5.0 on, as an array (54).
enum class ArrayAsId : std::uint8_t { ByType, AsArray };
// Rename: the argument names the path that is changed, the field the path whose value it gets.
enum class OperatorForm : std::uint8_t { Modifier, Rename };

struct UpdateOperatorSpec {
  std::string_view name;  // MongoDB's spelling
  OnMissing on_missing = OnMissing::Create;
  AppliesTo applies_to = AppliesTo::Always;
  OperatorForm form = OperatorForm::Modifier;
  ArrayAsId array_as_id = ArrayAsId::ByType;
  // `field` is the path as the update names it. `argument` outlives the modifier. Throws CommandError.
  std::unique_ptr<Modifier> (*parse)(std::string_view field, wire::ValueView argument,
                                     const ParseContext& context) = nullptr;
  std::string_view help;  // one sentence
};

std::span<const UpdateOperatorSpec* const> all_update_operators();
// nullptr when there is none of that name.
const UpdateOperatorSpec* find_update_operator(std::string_view name);

}  // namespace emulator
