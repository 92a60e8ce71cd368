// Requests without their passwords: what journals keep and messages show.
#pragma once

#include "wire/document.h"

namespace emulator {

struct CommandSpec;

// Puts "xxx" in the place of what the command's row calls secret; `document`: its request or its reply. `spec` nullptr: nothing is.
void hide_secrets(wire::Document& document, const CommandSpec* spec);

}  // namespace emulator
