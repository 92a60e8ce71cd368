// What a getMore asks for, read from its command. Knows no cursors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/profile.h"
#include "emulator/request.h"

namespace emulator {

struct GetMoreRequest {
  std::int64_t id = 0;
  std::string_view collection;
  std::optional<std::int64_t> batch_size;
  std::optional<std::int64_t> max_time_ms;
};

// By hand up to 4.4, which then refuses what it does not know (9); by a generated parser after. Throws CommandError.
GetMoreRequest read_get_more(const Request& request, const Profile& profile);

}  // namespace emulator
