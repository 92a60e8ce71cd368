// A reply on its way: its pieces, when each may leave, and how it ends. Faults edit it; per connection it is strictly in order.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/effect.h"
#include "wire/payload.h"

namespace emulator {

struct Piece {
  wire::Payload bytes;
  std::chrono::milliseconds after{0};  // waits so long (waited time) once the piece before has left the engine
  std::uint64_t until_released = 0;    // a held fault's number; 0: none
};

// What happens to the connection once all pieces have left.
enum class Afterwards { Stay, Close, Reset };

struct Delivery {
  std::vector<Piece> pieces;
  Afterwards afterwards = Afterwards::Stay;
};

// A piece in a connection's queue.
struct PendingPiece {
  Piece piece;
  RealTime due{};                 // waited time; meaningful for the front once `timed`
  bool timed = false;
  std::uint64_t exchange = 0;     // set on the last piece of a reply
  Afterwards afterwards = Afterwards::Stay;
};

}  // namespace emulator
