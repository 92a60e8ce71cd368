// What a pipeline's stages allow of a read concern. Knows no single stage: their rows say it.
#pragma once

#include <string>
#include <string_view>

#include "emulator/context.h"

namespace emulator {

// The rule of aggregate's row: throws 72 for a level that a stage of the request's pipeline, or its explain, does not run with.
void refuse_read_concern_of_pipeline(const Context& context);
// Up to 4.2, for a read concern and for a transaction.
std::string streams_not_with_read_concern(std::string_view level);

}  // namespace emulator
