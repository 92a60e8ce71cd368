// $eq, $ne, $gt, $gte, $lt, $lte, $cmp.
#include "emulator/expressions/table.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Value;

std::weak_ordering order(const Call& call) { return wire::compare_values(call[0], call[1]); }

constexpr ExpressionOperator operators[] = {
    {"$eq", 2, 2, [](const Call& call) { return Value::boolean(order(call) == 0); }},
    {"$ne", 2, 2, [](const Call& call) { return Value::boolean(order(call) != 0); }},
    {"$gt", 2, 2, [](const Call& call) { return Value::boolean(order(call) > 0); }},
    {"$gte", 2, 2, [](const Call& call) { return Value::boolean(order(call) >= 0); }},
    {"$lt", 2, 2, [](const Call& call) { return Value::boolean(order(call) < 0); }},
    {"$lte", 2, 2, [](const Call& call) { return Value::boolean(order(call) <= 0); }},
    {"$cmp", 2, 2, [](const Call& call) { return Value::int32(order(call) < 0   ? -1
                                                              : order(call) > 0 ? 1
                                                                                : 0); }},
};

}  // namespace

extern constinit const ExpressionSpec comparison_expression{operators};

}  // namespace emulator
