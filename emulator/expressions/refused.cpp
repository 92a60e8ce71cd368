// Expressions that MongoDB has and Oplogue does not build: refused by name.
#include <fmt/format.h>

#include "emulator/expressions/table.h"

namespace emulator {
namespace {

ExpressionPtr refuse(const ExpressionInput& input) { not_built(fmt::format("the expression {}", input.name)); }

constexpr ExpressionOperator operators[] = {
    {.name = "$acos", .parse = refuse},
    {.name = "$acosh", .parse = refuse},
    {.name = "$asin", .parse = refuse},
    {.name = "$asinh", .parse = refuse},
    {.name = "$atan", .parse = refuse},
    {.name = "$atan2", .parse = refuse},
    {.name = "$atanh", .parse = refuse},
    {.name = "$bitAnd", .parse = refuse},
    {.name = "$bitNot", .parse = refuse},
    {.name = "$bitOr", .parse = refuse},
    {.name = "$bitXor", .parse = refuse},
    {.name = "$cos", .parse = refuse},
    {.name = "$cosh", .parse = refuse},
    {.name = "$dateFromParts", .parse = refuse},
    {.name = "$dateFromString", .parse = refuse},
    {.name = "$dateToParts", .parse = refuse},
    {.name = "$dateTrunc", .parse = refuse},
    {.name = "$degreesToRadians", .parse = refuse},
    {.name = "$firstN", .parse = refuse},
    {.name = "$function", .parse = refuse},
    {.name = "$lastN", .parse = refuse},
    {.name = "$ln", .parse = refuse},
    {.name = "$log", .parse = refuse},
    {.name = "$log10", .parse = refuse},
    {.name = "$maxN", .parse = refuse},
    {.name = "$meta", .parse = refuse},
    {.name = "$minN", .parse = refuse},
    {.name = "$radiansToDegrees", .parse = refuse},
    {.name = "$sin", .parse = refuse},
    {.name = "$sinh", .parse = refuse},
    {.name = "$stdDevPop", .parse = refuse},
    {.name = "$stdDevSamp", .parse = refuse},
    {.name = "$tan", .parse = refuse},
    {.name = "$tanh", .parse = refuse},
    {.name = "$toHashedIndexKey", .parse = refuse},
};

}  // namespace

extern constinit const ExpressionSpec refused_expression{operators};

}  // namespace emulator
