// The only place that reads clocks: turns them into the values that steps take.
#pragma once

#include <chrono>

#include "emulator/input.h"

namespace server {

emulator::Now now();

// The instant that a real time of now() stands for, for timers.
inline std::chrono::steady_clock::time_point instant(emulator::RealTime real) {
  return std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(real));
}

}  // namespace server
