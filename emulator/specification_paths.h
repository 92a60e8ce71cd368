// The fields that $addFields names, and until 4.2 $project, judged by their paths before any value is read. Knows no expressions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/profile.h"
#include "emulator/store/projection_tree.h"
#include "wire/document.h"

namespace emulator {

class SpecificationPaths {
 public:
  // Throws CommandError without the stage's name. `spec` must outlive this.
  SpecificationPaths(wire::DocumentView spec, Wording wording);
  using Field = std::pair<std::vector<std::string>, wire::ValueView>;
  // Each by its steps, in the order of the specification; documents inside are gone through.
  const std::vector<Field>& fields() const { return fields_; }

 private:
  void add(std::vector<std::string>& steps, wire::ValueView value);
  void require_lone_operator(wire::DocumentView object) const;
  void add_field(const std::vector<std::string>& steps, wire::ValueView value);
  std::string shown() const;

  wire::DocumentView spec_;
  Wording wording_;
  ProjectionTree paths_{TreeMode::Addition};
  std::vector<Field> fields_;
};

}  // namespace emulator
