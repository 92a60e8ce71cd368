// The sizes of a collection as collStats and $collStats report them. Knows neither.
#pragma once

#include <cstdint>

#include "emulator/profile.h"
#include "emulator/store/collection.h"
#include "wire/document.h"

namespace emulator {

// Sizes are divided by `scale`. `collection` nullptr: of one that does not exist.
void append_collection_stats(wire::DocumentBuilder& out, const Collection* collection, const Profile& profile,
                             std::int32_t scale = 1);

}  // namespace emulator
