#include "emulator/operators/extremum.h"

namespace emulator {

extern constinit const UpdateOperatorSpec max_operator{.name = "$max",
                                                       .parse = parse_extremum<Extremum::Greatest>,
                                                       .help = "Sets a field if the value is above the stored one."};

}  // namespace emulator
