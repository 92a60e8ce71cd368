// Accumulators that MongoDB has and Oplogue does not build: they run JavaScript.
#include <fmt/format.h>

#include "emulator/accumulators/table.h"

namespace emulator {
namespace {

AccumulatorDefinition refuse(const AccumulatorInput& input) {
  not_built(fmt::format("the accumulator {}", input.name));
}

constexpr AccumulatorName names[] = {{.name = "$accumulator", .parse = refuse, .wire_version_min = 9}};

}  // namespace

extern constinit const AccumulatorSpec refused_accumulator{names};

}  // namespace emulator
