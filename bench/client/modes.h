// What the load client can measure, one function a mode; each prints its figures and throws what went wrong. Knows no
// command line.
#pragma once

#include <string>
#include <vector>

#include "bench/client/commands.h"
#include "bench/client/connection.h"

namespace bench {

// The round trip of 64 bytes between two threads over loopback: no server can be faster.
void measure_floor();
void measure_ping(const Address& server, int count);
// An insert is sent on one connection → its event has arrived on another, whose getMore waits.
void measure_latency(const Address& server, const Namespace& ns, int count);

// `count` documents in inserts of 1000; also prints the operation times between which the events lie.
void measure_load(const Address& server, const Namespace& ns, int count, int payload_bytes);
// Opens a stream at `start` and reads until `count` events have come.
void measure_drain(const Address& server, const Namespace& ns, wire::Timestamp start, int count);

// `streams` waiting getMores, `inserts` single inserts, until every stream has every event.
void measure_fanout(const Address& server, const Namespace& ns, int streams, int inserts);

// Starts `command`, and measures from exec to the first hello on that port that says isWritablePrimary; ends it by SIGTERM.
void measure_startup(const Address& server, std::vector<std::string> command);
// Resident memory of a process.
void measure_memory(int pid);

}  // namespace bench
