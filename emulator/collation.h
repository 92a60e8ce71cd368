// Collations as options: made whole as the server stores them. Comparing by one is not built.
#pragma once

#include "wire/document.h"

namespace emulator {

// {locale: "en"} with every field that it leaves out, in ICU's version. {} and the simple locale: a default document.
wire::Document whole_collation(wire::DocumentView given);

}  // namespace emulator
