// More requests than the journal holds: what is counted and what has a name does not depend on its bound.
#include <gtest/gtest.h>

#include "scenarios/director.h"
#include "tests/support/fake_client.h"

namespace scenarios {
namespace {

using oplogue_test::json;

constexpr std::size_t entries_max = 16;

// One client counts fifty times between its first request and its last.
Finished play(const std::string& steps) {
  const auto loaded = load_scenario("long.yaml", "name: long\nsteps:\n" + steps, Command::None);
  EXPECT_TRUE(loaded.problems.empty());
  DirectorOptions options;
  options.purpose = Purpose::Trial;
  options.journal_bounds.entries_max = entries_max;
  const emulator::Now start{std::chrono::seconds(1), emulator::SystemTime{}};
  Director director(loaded.scenarios.at(0), options, start);
  oplogue_test::World world(oplogue_test::Machine::of(director), start);
  world.listen();
  world.open(1);
  world.send(1, json(R"({"ping": 1, "$db": "admin"})"));
  for (int n = 0; n < 50; ++n) world.send(1, json(R"({"count": "items", "$db": "app"})"));
  world.send(1, json(R"({"buildInfo": 1, "$db": "admin"})"));
  EXPECT_LE(director.journal().entries().size(), entries_max);
  EXPECT_GT(director.journal().lost(), 50U);
  EXPECT_TRUE(world.finished());
  return world.finished().value_or(Finished{});
}

TEST(LongJournal, CountsWhatItLost) {
  const std::string awaits = "  - await: {command: ping, as: first}\n  - await: {command: buildInfo, as: final}\n";
  EXPECT_EQ(play(awaits + "  - expect: {command: count, count: 50}\n").failure, "");
  EXPECT_EQ(play(awaits + "  - expect: {command: count, since: first, count: 50}\n").failure, "");
  EXPECT_EQ(play(awaits + "  - expect: {command: count, since: final, count: 0}\n").failure, "");
  const Finished wrong = play(awaits + "  - expect: {command: count, count: 49}\n");
  EXPECT_EQ(wrong.verdict, Verdict::Failed);
  EXPECT_NE(wrong.failure.find("actual:   50"), std::string::npos) << wrong.failure;
}

TEST(LongJournal, KeepsWhatHasAName) {
  EXPECT_EQ(play("  - await: {command: ping, as: first}\n"
                 "  - await: {command: buildInfo}\n"
                 "  - expect: {request: first, command: ping, reply: {ok: 1}}\n"
                 "  - expect: {connection: first, command: count, count: 50}\n")
                .failure,
            "");
}

}  // namespace
}  // namespace scenarios
