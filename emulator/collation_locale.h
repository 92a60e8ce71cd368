// Which locales collations know. Knows no other field of a collation.
#pragma once

#include <string_view>

#include "wire/document.h"

namespace emulator {

// `text` is the locale that `spec` names, not "simple". Throws 2 for what no locale is, and 238 for one whose order is not built.
void check_collation_locale(std::string_view text, wire::DocumentView spec);

}  // namespace emulator
