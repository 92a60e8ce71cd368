// The modifier that $pull and $pullAll share: an array without the elements that match.
#pragma once

#include <algorithm>

#include "emulator/command_error.h"
#include "emulator/operators/array_parts.h"
#include "emulator/operators/table.h"

namespace emulator {

// `Matches`: callable on a ValueView.
template <class Matches>
class PullMatching : public Modifier {
 public:
  explicit PullMatching(Matches matches) : matches_(std::move(matches)) {}
  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (!target.value.is(wire::Type::Array)) throw CommandError(2, "Cannot apply $pull to a non-array value");
    std::vector<wire::ValueView> elements = elements_of(target.value);
    if (std::erase_if(elements, matches_) == 0) return {};
    return UpdateOutcome::changed(array_of(elements));
  }

 private:
  Matches matches_;
};

}  // namespace emulator
