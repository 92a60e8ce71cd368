// What an update's operators change, noted path by path while they are applied, and the oplog entry made of it afterwards: as a
// difference, or as $set and $unset. Knows no operators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/diff_tree.h"
#include "emulator/editable_document.h"
#include "emulator/update_path.h"

namespace emulator {

// Paths are as the operators lead, positional components resolved; their components outlive the log. `document` is the one that is
// changed, as it stands after the change that is told.
class UpdateLog {
 public:
  virtual ~UpdateLog() = default;
  virtual void updated(EditableDocument& document, const UpdatePath& path) = 0;
  // The first `existing` components of the path were there before.
  virtual void created(EditableDocument& document, const UpdatePath& path, std::size_t existing) = 0;
  // The array at the path has `count` more elements at its end.
  virtual void appended(EditableDocument& document, const UpdatePath& path, std::size_t count) = 0;
  // An element of an array leaves a null behind.
  virtual void removed(EditableDocument& document, const UpdatePath& path) = 0;
  // The entry's `o`; values are those of `post`, the document that the update has made.
  virtual wire::Document entry(wire::DocumentView post) = 0;
};

class DiffLog final : public UpdateLog {
 public:
  void updated(EditableDocument& document, const UpdatePath& path) override;
  void created(EditableDocument& document, const UpdatePath& path, std::size_t existing) override;
  void appended(EditableDocument& document, const UpdatePath& path, std::size_t count) override;
  void removed(EditableDocument& document, const UpdatePath& path) override;
  wire::Document entry(wire::DocumentView post) override;

 private:
  // The level above `path`'s component `count`; nullptr: covered by what is logged already.
  DiffTree* level(EditableDocument& document, const UpdatePath& path, std::size_t count);

  DiffTree tree_{DiffTree::Level::Object};
};

// A section stands where its first path was noted, and every path in the order in which it was (LogBuilder up to 4.4).
class SetAndUnsetLog final : public UpdateLog {
 public:
  void updated(EditableDocument& document, const UpdatePath& path) override;
  void created(EditableDocument& document, const UpdatePath& path, std::size_t existing) override;
  void appended(EditableDocument& document, const UpdatePath& path, std::size_t count) override;
  void removed(EditableDocument& document, const UpdatePath& path) override;
  wire::Document entry(wire::DocumentView post) override;

 private:
  struct Set {
    std::string path;
    wire::Value value;
  };
  void set(std::string path, const EditableValue& value);
  void append_sets(wire::DocumentBuilder& out) const;
  void append_unsets(wire::DocumentBuilder& out) const;

  std::vector<Set> sets_;
  std::vector<std::string> unsets_;
  bool unset_first_ = false;
};

// {$v: 2, diff: …}
wire::Document diff_entry(wire::DocumentView diff);

}  // namespace emulator
