// Faults made of what shall be thrown or said, without a script's argument. Knows no fail points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emulator/faults/fault.h"

namespace emulator {

// Before the request runs, exactly this error.
std::unique_ptr<Fault> make_thrown_error(CommandError error, CursorFate cursor);
// This writeConcernError beside the reply, as it is. `labels` nullopt: those of its code.
std::unique_ptr<Fault> make_write_concern_failure(wire::Document error, std::optional<std::vector<std::string>> labels);

}  // namespace emulator
