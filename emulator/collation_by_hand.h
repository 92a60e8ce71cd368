// What is wrong with a collation in the words of builds that read its fields by hand (until 4.4). Knows no order of letters.
#pragma once

#include "wire/document.h"

namespace emulator {

// Throws CommandError, for the first wrong field in the order in which those builds read them. What it lets pass is a collation,
// if perhaps not one that is built.
void check_collation_by_hand(wire::DocumentView spec);

}  // namespace emulator
