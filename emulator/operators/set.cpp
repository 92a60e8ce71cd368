#include "emulator/operators/set_value.h"

namespace emulator {

extern constinit const UpdateOperatorSpec set_operator{
    .name = "$set", .parse = parse_set_value, .help = "Sets the value of a field; logged only where the bytes differ."};

}  // namespace emulator
