// The modifier that $inc and $mul share: numbers of all four types, as SafeNum computes them.
#pragma once

#include <memory>
#include <string_view>

#include "emulator/operators/table.h"

namespace emulator {

enum class Arithmetic : std::uint8_t { Increment, Multiply };

std::unique_ptr<Modifier> parse_arithmetic(Arithmetic operation, std::string_view field, wire::ValueView argument);

}  // namespace emulator
