// `fault: NAME | {NAME: ARGUMENT} | [several]` of a script, as the emulator's faults.
#pragma once

#include <memory>
#include <vector>

#include "emulator/faults/table.h"
#include "scenarios/names.h"
#include "scenarios/node.h"
#include "scenarios/reader.h"

namespace scenarios {

struct WrittenFault {
  const emulator::FaultSpec* spec = nullptr;
  Node argument;  // null: none was given
  std::optional<emulator::Moment> at;
};

// Notes unknown faults and wrong arguments.
std::vector<WrittenFault> read_faults(Reader& reader, const Node& node);
// Throws FaultArgumentError, Unresolved.
std::unique_ptr<emulator::Fault> make_fault(const WrittenFault& written, const Names& names);
// Whether one of them acts before there is a reply.
bool acts_at_arrival(const std::vector<WrittenFault>& faults);

}  // namespace scenarios
