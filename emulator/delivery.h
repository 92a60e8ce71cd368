// A piece of a reply that leaves later than now, in its connection's queue. What makes it late is a fault's Delivery.
#pragma once

#include <cstdint>

#include "emulator/effect.h"
#include "wire/payload.h"

namespace emulator {

// What happens to the connection once the piece has left.
enum class Afterwards { Stay, Close, Reset };

struct PendingPiece {
  wire::Payload bytes;
  RealTime due{};              // in waited time
  bool held = false;           // until FaultPlan::held_by its exchange says 0
  std::uint64_t exchange = 0;  // whose reply it is
  bool last = false;           // its reply is whole with it
  Afterwards afterwards = Afterwards::Stay;
};

}  // namespace emulator
