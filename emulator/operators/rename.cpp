#include "emulator/operators/table.h"

namespace emulator {

// Two paths take part, so the tree of the update checks and moves it (update_tree.cpp, update_apply_places.cpp).
extern constinit const UpdateOperatorSpec rename_operator{
    .name = "$rename", .form = OperatorForm::Rename, .help = "Moves the value of a field to another path."};

}  // namespace emulator
