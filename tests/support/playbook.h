// Conversations as tables: Playbook(make_engine) >> received(c, msg) << sent(c, reply) >> tick(999ms) << nothing. The same script
// can be played again with every message cut at every byte, or with the connection broken after every step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "emulator/engine.h"
#include "tests/support/fake_client.h"

namespace oplogue_test {

struct OpenedBy {
  std::uint64_t connection;
};
struct ReceivedFrom {
  std::uint64_t connection;
  wire::Document message;
};
struct ClosedBy {
  std::uint64_t connection;
};
struct Passed {
  std::chrono::nanoseconds duration;
};
// A reply with at least these fields and values.
struct SentTo {
  std::uint64_t connection;
  wire::Document fields;
};
struct Nothing {};
struct ClosedFor {
  std::uint64_t connection;
};
using Move = std::variant<OpenedBy, ReceivedFrom, ClosedBy, Passed, SentTo, Nothing, ClosedFor>;

inline OpenedBy opened(std::uint64_t connection) { return {connection}; }
inline ReceivedFrom received(std::uint64_t connection, std::string_view message) { return {connection, json(message)}; }
inline ClosedBy closed(std::uint64_t connection) { return {connection}; }
inline Passed tick(std::chrono::nanoseconds duration) { return {duration}; }
inline SentTo sent(std::uint64_t connection, std::string_view fields) { return {connection, json(fields)}; }
inline constexpr Nothing nothing{};
inline ClosedFor closes(std::uint64_t connection) { return {connection}; }

using MakeEngine = std::function<std::unique_ptr<emulator::Engine>()>;
// A fresh deployment with the clock held, as the playbooks have it.
MakeEngine fresh_engine(const std::string& profile = "mongodb-7.0");

class Playbook {
 public:
  explicit Playbook(MakeEngine make = fresh_engine()) : make_(std::move(make)) {}
  Playbook& operator>>(Move move) { return moves_.push_back(std::move(move)), *this; }
  Playbook& operator<<(Move move) { return moves_.push_back(std::move(move)), *this; }

  // Plays it once and checks what comes (GoogleTest failures name the move).
  void play() const;
  // Every message, cut in two at every byte, has the same effects.
  void every_cut() const;
  // After each move all connections break: nothing waits, nothing is left open.
  void every_failure() const;

 private:
  std::string transcript(std::size_t cut_move, std::size_t cut_at) const;
  MakeEngine make_;
  std::vector<Move> moves_;
};

}  // namespace oplogue_test
