// What $group gathers per group, one object per field and group. Knows no groups.
#pragma once

#include <memory>
#include <string_view>

#include "wire/document.h"

namespace emulator {

class Accumulator {
 public:
  virtual ~Accumulator() = default;
  virtual void add(wire::ValueView value) = 0;
  virtual wire::Value result() const = 0;
};

// nullptr: no accumulator of that name ($count is one, $sum of 1).
std::unique_ptr<Accumulator> make_accumulator(std::string_view name);
// Known to MongoDB, not built.
bool is_unbuilt_accumulator(std::string_view name);

}  // namespace emulator
