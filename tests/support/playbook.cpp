#include "tests/support/playbook.h"

#include <gtest/gtest.h>

#include "wire/compare.h"
#include "wire/extended_json.h"
#include "wire/op_msg.h"
#include "wire/overloaded.h"
#include "wire/payload.h"

namespace oplogue_test {
namespace {

constexpr std::size_t no_move = static_cast<std::size_t>(-1);

// Which of `fields` the document lacks or has otherwise; empty: none.
std::string lacking(wire::DocumentView fields, wire::DocumentView document) {
  for (const auto& [name, value] : fields) {
    const wire::ValueView actual = document.find_path(name);
    if (actual.missing() || !wire::equal_values(value, actual))
      return std::string(name) + " in " + wire::to_json(document, wire::JsonForm::Relaxed);
  }
  return {};
}

bool is_heard(const Move& move) { return move.index() < 4; }

void hear(World& world, const Move& move, std::size_t cut_at) {
  std::visit(wire::Overloaded{[&](const OpenedBy& one) { world.open(one.connection); },
                              [&](const ReceivedFrom& one) { world.send_cut(one.connection, one.message, cut_at); },
                              [&](const ClosedBy& one) { world.close(one.connection); },
                              [&](const Passed& one) { world.tick(one.duration); }, [](const auto&) {}},
             move);
}

void expect(World& world, const Move& move) {
  std::visit(
      wire::Overloaded{[&](const SentTo& one) {
                         const auto reply = world.take_reply(one.connection);
                         ASSERT_TRUE(reply) << "nothing was sent";
                         EXPECT_EQ(lacking(one.fields, *reply), "");
                       },
                       [&](const Nothing&) {
                         for (std::uint64_t connection = 1; connection < 10; ++connection)
                           EXPECT_FALSE(world.has_reply(connection)) << "something was sent on " << connection;
                       },
                       [&](const ClosedFor& one) { EXPECT_TRUE(world.ending(one.connection)) << "it was not closed"; },
                       [](const auto&) {}},
      move);
}

emulator::Now start() { return {std::chrono::seconds(1), emulator::SystemTime(std::chrono::hours(24 * 365 * 56))}; }

}  // namespace

MakeEngine fresh_engine(const std::string& profile) {
  return [profile] {
    emulator::DeploymentSpec spec;
    spec.profile = profile;
    spec.held_clock = emulator::SystemTime(std::chrono::hours(24 * 365 * 56));
    return std::make_unique<emulator::Engine>(spec, start(), nullptr);
  };
}

void Playbook::play() const {
  const auto engine = make_();
  World world(Machine::of(*engine), start());
  world.listen();
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    SCOPED_TRACE("move " + std::to_string(i + 1));
    is_heard(moves_[i]) ? hear(world, moves_[i], 0) : expect(world, moves_[i]);
  }
}

std::string Playbook::transcript(std::size_t cut_move, std::size_t cut_at) const {
  const auto engine = make_();
  World world(Machine::of(*engine), start());
  world.listen();
  std::string text;
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    hear(world, moves_[i], i == cut_move ? cut_at : 0);
    for (std::uint64_t connection = 1; connection < 10; ++connection) text += world.bytes(connection) + "|";
  }
  return text;
}

void Playbook::every_cut() const {
  const std::string whole = transcript(no_move, 0);
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    const auto* message = std::get_if<ReceivedFrom>(&moves_[i]);
    if (message == nullptr) continue;
    const std::size_t bytes = wire::encode_op_msg(1, 0, 0, wire::Payload(message->message)).size();
    for (std::size_t at = 1; at < bytes; ++at)
      ASSERT_EQ(transcript(i, at), whole) << "move " << i + 1 << " cut at " << at;
  }
}

void Playbook::every_failure() const {
  for (std::size_t last = 0; last < moves_.size(); ++last) {
    SCOPED_TRACE("broken after move " + std::to_string(last + 1));
    const auto engine = make_();
    World world(Machine::of(*engine), start());
    world.listen();
    for (std::size_t i = 0; i <= last; ++i) hear(world, moves_[i], 0);
    for (const emulator::Connection* connection : engine->connections())
      world.close(static_cast<std::uint64_t>(connection->id));
    world.tick(std::chrono::seconds(60));
    EXPECT_TRUE(engine->waiting().empty());
    EXPECT_TRUE(engine->connections().empty());
  }
}

}  // namespace oplogue_test
