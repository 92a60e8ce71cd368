// Scenario files in process, in virtual time: wrong ones are caught with the sentence that their head states, right ones pass or fail
// as it says, twice with the same journal. The head's `client:` names who talks: a small change-stream client, or nobody. Its
// `command:` is what COMMAND does (scripted_command.h); without it there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/director.h"
#include "tests/runner/scripted_command.h"
#include "tests/support/stream_client.h"

namespace oplogue_test {
namespace {

namespace fs = std::filesystem;

struct File {
  friend void PrintTo(const File& file, std::ostream* out) { *out << file.name; }
  std::string name;
  std::string text;
  std::string client;
  std::string command;  // empty: there is none
  scenarios::Command given() const { return command.empty() ? scenarios::Command::None : scenarios::Command::Given; }
  std::vector<std::string> head;  // its comment lines without "# "
};

std::vector<File> files_of(const std::string& kind) {
  std::vector<File> files;
  for (const auto& entry : fs::directory_iterator(fs::path(OPLOGUE_SOURCE_DIR) / "tests/runner" / kind)) {
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    File file{entry.path().filename(), text.str(), "none", {}, {}};
    std::istringstream lines(file.text);
    for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
      if (line.starts_with("# client: "))
        file.client = line.substr(10);
      else if (line.starts_with("# command: "))
        file.command = line.substr(11);
      else
        file.head.push_back(line.substr(2));
    }
    files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, &File::name);
  return files;
}

struct Played {
  scenarios::Finished finished;
  std::string journal;
};

Played play(const scenarios::Scenario& scenario, const File& file) {
  const emulator::Now start{std::chrono::seconds(1), emulator::SystemTime{}};
  scenarios::DirectorOptions options;
  options.purpose = scenarios::Purpose::Trial;
  options.command = file.given();
  scenarios::Director director(scenario, options, start);
  World world(Machine::of(director), start);
  StreamClient client(world);
  ScriptedCommand command(world, file.command);
  world.listen();
  for (int ms = 0; ms < 120'000 && !world.finished(); ++ms) {
    command.run();
    if (file.client == "watch") client.watch();
    if (file.client == "mark") client.mark("stored");
    world.tick(std::chrono::milliseconds(1));
  }
  if (!world.finished()) return {};
  return {*world.finished(), director.stable_journal()};
}

class Runner : public testing::TestWithParam<File> {};
class Invalid : public Runner {};
class ValidPass : public Runner {};
class ValidFail : public Runner {};

TEST_P(Invalid, IsCaughtWithItsSentences) {
  const auto loaded = scenarios::load_scenario(GetParam().name, GetParam().text, GetParam().given());
  std::string expected, actual;
  for (const std::string& line : GetParam().head) expected += GetParam().name + ":" + line + "\n";
  for (const scenarios::Problem& problem : loaded.problems)
    actual += scenarios::render(GetParam().name, problem) + "\n";
  EXPECT_EQ(actual, expected);
  EXPECT_TRUE(loaded.scenarios.empty());
}

TEST_P(ValidPass, PassesTwiceWithTheSameJournal) {
  const auto loaded = scenarios::load_scenario(GetParam().name, GetParam().text, GetParam().given());
  ASSERT_TRUE(loaded.problems.empty()) << scenarios::render(GetParam().name, loaded.problems.front());
  for (const scenarios::Scenario& scenario : loaded.scenarios) {
    SCOPED_TRACE(scenario.title());
    const Played first = play(scenario, GetParam());
    EXPECT_EQ(first.finished.verdict, scenarios::Verdict::Passed);
    EXPECT_EQ(first.finished.failure, "");
    EXPECT_EQ(play(scenario, GetParam()).journal, first.journal);
  }
}

TEST_P(ValidFail, FailsWithTheseLines) {
  const auto loaded = scenarios::load_scenario(GetParam().name, GetParam().text, GetParam().given());
  ASSERT_TRUE(loaded.problems.empty()) << scenarios::render(GetParam().name, loaded.problems.front());
  for (const scenarios::Scenario& scenario : loaded.scenarios) {
    const Played played = play(scenario, GetParam());
    EXPECT_EQ(played.finished.verdict, scenarios::Verdict::Failed);
    for (const std::string& line : GetParam().head)
      EXPECT_NE(played.finished.failure.find(line), std::string::npos) << "lacks: " << line << "\nin:\n"
                                                                       << played.finished.failure;
  }
}

std::string test_name(const testing::TestParamInfo<File>& info) { return fs::path(info.param.name).stem(); }

INSTANTIATE_TEST_SUITE_P(Files, Invalid, testing::ValuesIn(files_of("invalid")), test_name);
INSTANTIATE_TEST_SUITE_P(Files, ValidPass, testing::ValuesIn(files_of("valid-pass")), test_name);
INSTANTIATE_TEST_SUITE_P(Files, ValidFail, testing::ValuesIn(files_of("valid-fail")), test_name);

}  // namespace

}  // namespace oplogue_test
