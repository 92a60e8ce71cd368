// A file of this folder is a family of $group's accumulators: it defines its row, and no other is edited.
// table-type: AccumulatorSpec
// table-suffix: accumulator
// table-accessor: all_accumulators
#pragma once

#include <span>
#include <string_view>

#include "emulator/accumulator.h"
#include "emulator/expression.h"

namespace emulator {

struct AccumulatorInput {
  std::string_view name;
  wire::ValueView argument;
  const ParseContext& context;
};

struct AccumulatorName {
  std::string_view name;
  // Takes any one expression: makes the accumulator of a group.
  std::unique_ptr<Accumulator> (*make)(std::string_view name) = nullptr;
  // Or reads its argument itself.
  AccumulatorDefinition (*parse)(const AccumulatorInput&) = nullptr;
  // Compares values, and is not built under a collation.
  bool compares = false;
  // The first profile (by wire version) that has it.
  int wire_version_min = 0;
};

struct AccumulatorSpec {
  std::span<const AccumulatorName> names;
};

std::span<const AccumulatorSpec* const> all_accumulators();

}  // namespace emulator
