// What can be said of a $where script without a JavaScript engine: whether it breaks off where an expression must follow.
#pragma once

#include <string_view>

namespace emulator {

// True: `script` is an expression as far as it goes, and ends where its next operand is due ("f(", "this.a == "): no engine
// compiles it. False says nothing: it may be whole, or wrong in another way.
bool breaks_off(std::string_view script);

}  // namespace emulator
