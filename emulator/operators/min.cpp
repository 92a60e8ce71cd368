#include "emulator/operators/extremum.h"

namespace emulator {

extern constinit const UpdateOperatorSpec min_operator{.name = "$min",
                                                       .parse = parse_extremum<Extremum::Least>,
                                                       .help = "Sets a field if the value is below the stored one."};

}  // namespace emulator
