// The journal as JSON lines without what depends on real time, so that two runs of a scenario with the same client are equal.
#pragma once

#include <string>

#include "emulator/journal.h"
#include "scenarios/names.h"

namespace scenarios {

// Monitoring and empty batches are left out; connections and sessions are numbered by first appearance.
std::string stable_journal(const emulator::Journal& journal, const Names& names);

}  // namespace scenarios
