// The modifier that $min and $max share: by MongoDB's order of all values; equal values of other types stay.
#pragma once

#include <memory>

#include "emulator/operators/table.h"
#include "wire/compare.h"

namespace emulator {

enum class Extremum : std::uint8_t { Least, Greatest };

template <Extremum which>
class ExtremumModifier : public Modifier {
 public:
  explicit ExtremumModifier(wire::ValueView bound) : bound_(bound) {}
  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value) {
      auto order = wire::compare_values(bound_, target.value);
      if (which == Extremum::Least ? order >= 0 : order <= 0) return {};
    }
    return UpdateOutcome::changed(bound_);
  }

 private:
  wire::ValueView bound_;
};

template <Extremum which>
std::unique_ptr<Modifier> parse_extremum(std::string_view, wire::ValueView argument, const ParseContext&) {
  return std::make_unique<ExtremumModifier<which>>(argument);
}

}  // namespace emulator
