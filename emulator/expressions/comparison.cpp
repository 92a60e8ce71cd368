// $eq, $ne, $gt, $gte, $lt, $lte, $cmp.
#include "emulator/expressions/table.h"
#include "wire/compare.h"

namespace emulator {
namespace {

using wire::Value;

std::weak_ordering order(const Call& call) { return wire::compare_values(call[0], call[1]); }

constexpr UnderCollation keys = UnderCollation::ByKeys;

constexpr ExpressionOperator operators[] = {
    {"$eq", 2, 2, [](const Call& call) { return Value::boolean(order(call) == 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$ne", 2, 2, [](const Call& call) { return Value::boolean(order(call) != 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$gt", 2, 2, [](const Call& call) { return Value::boolean(order(call) > 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$gte", 2, 2, [](const Call& call) { return Value::boolean(order(call) >= 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$lt", 2, 2, [](const Call& call) { return Value::boolean(order(call) < 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$lte", 2, 2, [](const Call& call) { return Value::boolean(order(call) <= 0); }, nullptr, Arguments::AllFirst, 0,
     keys},
    {"$cmp", 2, 2, [](const Call& call) { return Value::int32(order(call) < 0   ? -1
                                                              : order(call) > 0 ? 1
                                                                                : 0); },
     nullptr, Arguments::AllFirst, 0, keys},
};

}  // namespace

extern constinit const ExpressionSpec comparison_expression{operators};

}  // namespace emulator
