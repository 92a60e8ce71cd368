// A fault is a file of this folder: it defines its row, and no other file is edited to add it.
// table-type: FaultSpec
// table-suffix: fault
// table-accessor: all_faults
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "emulator/faults/fault.h"
#include "wire/document.h"

namespace emulator {

// The argument of a fault is wrong: one sentence, and the dotted field of it that is meant (empty: all of it).
struct FaultArgumentError : std::runtime_error {
  explicit FaultArgumentError(const std::string& sentence, std::string dotted = {})
      : std::runtime_error(sentence), field(std::move(dotted)) {}
  std::string field;
};

struct FaultSpec {
  std::string_view name;
  // Reads the argument (missing: none was given) and the moment written beside it (nullopt: none was). Throws FaultArgumentError.
  std::unique_ptr<Fault> (*make)(wire::ValueView argument, std::optional<Moment> at) = nullptr;
  std::string_view help;     // one sentence
  std::string_view example;  // a whole step, as a scenario file has it
};

std::span<const FaultSpec* const> all_faults();
// nullptr when there is none of that name.
const FaultSpec* find_fault(std::string_view name);

}  // namespace emulator
