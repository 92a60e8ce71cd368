// Expressions that MongoDB has and Oplogue does not build: refused by name.
#include <fmt/format.h>

#include "emulator/expressions/table.h"

namespace emulator {
namespace {

ExpressionPtr refuse(const ExpressionInput& input) { not_built(fmt::format("the expression {}", input.name)); }

constexpr ExpressionOperator operators[] = {
    {.name = "$function", .parse = refuse, .wire_version_min = 9},
    {.name = "$meta", .parse = refuse},
    {.name = "$toHashedIndexKey", .parse = refuse},
};

}  // namespace

extern constinit const ExpressionSpec refused_expression{operators};

}  // namespace emulator
