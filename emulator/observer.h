// Who is told what happens inside a step, in order, and may act on it at once: the Director, a journal, a test.
#pragma once

#include "emulator/connection.h"
#include "emulator/exchange.h"

namespace emulator {

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void opened(const Connection& /*connection*/) {}
  virtual void closed(const Connection& /*connection*/, CloseCause /*cause*/) {}
  // A request arrived and has not run. The observer may change the deployment: the request runs on what it leaves.
  virtual void command(Exchange& /*exchange*/) {}
  // It began to wait (a getMore with nothing to get, a hello).
  virtual void waiting(Exchange& /*exchange*/) {}
  // It is over: its reply is ready, or a fault cut or withheld it. Called before the reply leaves; what the observer does now
  // belongs to the same turn.
  virtual void outcome(Exchange& /*exchange*/) {}
  // Its reply has left whole.
  virtual void delivered(ConnectionId /*connection*/, std::uint64_t /*exchange*/) {}
  // An entry was appended to the oplog.
  virtual void appended(OplogPosition /*position*/) {}
};

}  // namespace emulator
