// Which spelling of hello a build knows: up to 4.2 only the old ones.
#pragma once

#include <string_view>

#include "emulator/profile.h"

namespace emulator {

// Whether the name is one that only later builds know, though they know the command.
bool is_later_spelling(std::string_view name, const Profile& profile);

}  // namespace emulator
