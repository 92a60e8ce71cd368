#include "emulator/operators/set_value.h"

namespace emulator {

extern constinit const UpdateOperatorSpec set_on_insert_operator{
    .name = "$setOnInsert",
    .applies_to = AppliesTo::InsertOnly,
    .parse = parse_set_value,
    .help = "Sets the value of a field when an upsert inserts; does nothing otherwise."};

}  // namespace emulator
