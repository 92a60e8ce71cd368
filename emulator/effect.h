// What the shell shall do, as values: the only way out of a step.
#pragma once

#include <variant>

#include "emulator/input.h"
#include "wire/payload.h"

namespace emulator {

// Write these bytes after those already given for this connection. Delays were served before: at once.
struct Send {
  ConnectionId connection{};
  DeliveryId delivery = 0;
  wire::Payload payload;
};

enum class Ending {
  AfterOutbox,  // FIN when everything given has been written
  Now,          // FIN at once, what is unwritten is lost
  Reset,        // RST
};

struct Close {
  ConnectionId connection{};
  Ending ending = Ending::AfterOutbox;
};

enum class ReadingState { On, Off };

// Whether to read from this connection: off while it may not send more (back-pressure).
struct Reading {
  ConnectionId connection{};
  ReadingState state = ReadingState::On;
};

enum class ListenState {
  Open,    // accept
  Refuse,  // keep the port, refuse connections
  Gone,    // give the port up
};

struct Listen {
  MemberId member{};
  ListenState state = ListenState::Open;
};

using Effect = std::variant<Send, Close, Reading, Listen>;

}  // namespace emulator
