// The modifier that $set and $setOnInsert share.
#pragma once

#include <memory>
#include <string_view>

#include "emulator/operators/table.h"

namespace emulator {

class SetValue : public Modifier {
 public:
  explicit SetValue(wire::ValueView value) : value_(value) {}
  UpdateOutcome modify(const UpdateTarget& target) const override {
    if (target.value.identical(value_)) return {};
    return UpdateOutcome::changed(value_);
  }

 private:
  wire::ValueView value_;
};

inline std::unique_ptr<Modifier> parse_set_value(std::string_view, wire::ValueView argument, const ParseContext&) {
  return std::make_unique<SetValue>(argument);
}

}  // namespace emulator
