// What happens to a deployment, as values: the only way in. Knows no sockets; the shell (server/) or a test makes these.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

namespace emulator {

// Monotonic time since an arbitrary start: ends waits, delays, `within`.
using RealTime = std::chrono::nanoseconds;
// Wall time: what the deployment's clock maps to cluster times, wall times and expiry.
using SystemTime = std::chrono::sys_time<std::chrono::milliseconds>;

struct Now {
  RealTime real{};
  SystemTime system{};
};

enum class MemberId : std::uint16_t {};
enum class ConnectionId : std::uint64_t {};
// Numbers the deliveries of one connection, from 1.
using DeliveryId = std::uint64_t;

// A member's port is open; comes before any client can reach it.
struct Listening {
  MemberId member{};
  std::string host;
  std::uint16_t port = 0;
};

// A client connected to a member.
struct Opened {
  ConnectionId connection{};
  MemberId member{};
  std::string peer;          // "127.0.0.1:51234"
  std::string local;         // the address the client came to, "127.0.0.1:27017"
  std::string subject = {};  // of the client's X.509 certificate, as RFC 2253 writes it; empty: it showed none
};

struct Received {
  ConnectionId connection{};
  std::span<const std::byte> bytes;  // valid during the call
};

// The socket took more bytes: the last delivery that left whole, and how much still waits (back-pressure).
struct Written {
  ConnectionId connection{};
  DeliveryId last_complete = 0;
  std::size_t unwritten_bytes = 0;
};

enum class CloseCause { ByClient, ByServer, Failed };

struct Closed {
  ConnectionId connection{};
  CloseCause cause = CloseCause::ByClient;
};

// The time that next_wake() named has come.
struct Woken {};

using Input = std::variant<Listening, Opened, Received, Written, Closed, Woken>;

}  // namespace emulator
