#include "server/run.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "server/start_error.h"

namespace server {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStderr;
using testing::internal::GetCapturedStdout;

constexpr std::string_view says_hello = "name: hello\nsteps:\n  - await: {output: hello}\n";

class Run : public testing::Test {
 protected:
  Run() {
    std::filesystem::create_directories(folder_);
    options_.paths = {folder_.string()};
    options_.command = {"true"};
  }
  ~Run() override { std::filesystem::remove_all(folder_); }

  void write(std::string_view name, std::string_view text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  // Runs and keeps what was printed.
  int run_it() {
    CaptureStdout();
    CaptureStderr();
    int code = -1;
    try {
      code = run(options_);
    } catch (const StartError& error) {
      sentence_ = error.what();
    }
    out_ = GetCapturedStdout();
    err_ = GetCapturedStderr();
    return code;
  }
  bool printed(std::string_view text) const { return out_.find(text) != std::string::npos; }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("oplogue_run_test_" + std::to_string(::getpid()));
  RunOptions options_;
  std::string out_;
  std::string err_;
  std::string sentence_;
};

TEST_F(Run, PassesWhenTheConsumerDoesWhatTheScenarioAwaits) {
  write("hello.yaml", says_hello);
  options_.command = {"/bin/sh", "-c", "echo hello; exec sleep 100"};
  EXPECT_EQ(run_it(), 0);
  EXPECT_TRUE(printed("1 passed, 0 failed")) << out_;
}

TEST_F(Run, GivesTheConsumerTheUri) {
  write("hello.yaml", "name: uri\nsteps:\n  - await: {output: 'mongodb://127.0.0.1:[0-9]+/.replicaSet=rs0'}\n");
  options_.command = {"/bin/sh", "-c", "echo $MONGODB_URI"};
  EXPECT_EQ(run_it(), 0);
}

TEST_F(Run, FailsWhenTheConsumerEndsTooEarly) {
  write("hello.yaml", says_hello);
  options_.command = {"/bin/sh", "-c", "echo goodbye"};
  EXPECT_EQ(run_it(), 1);
  EXPECT_TRUE(printed("0 passed, 1 failed")) << out_;
}

TEST_F(Run, FailsAtTheTimeoutAndStopsTheConsumer) {
  write("hello.yaml", says_hello);
  options_.command = {"/bin/sh", "-c", "exec sleep 100"};
  options_.timeout = std::chrono::milliseconds(50);
  EXPECT_EQ(run_it(), 1);
  EXPECT_TRUE(printed("0 passed, 1 failed")) << out_;
}

TEST_F(Run, SkipsTheRestAfterAFailureWhenAskedTo) {
  write("a.yaml", says_hello);
  write("b.yaml", says_hello);
  options_.command = {"/bin/sh", "-c", "echo goodbye"};
  options_.after_failure = AfterFailure::Stop;
  EXPECT_EQ(run_it(), 1);
  EXPECT_TRUE(printed("0 passed, 1 failed, 1 skipped")) << out_;
}

TEST_F(Run, TriesEachScenarioUnderEachProfileAndAgain) {
  write("hello.yaml", says_hello);
  options_.command = {"/bin/sh", "-c", "echo hello"};
  options_.profiles = {"mongodb-6.0", "mongodb-7.0"};
  options_.repeat = 2;
  EXPECT_EQ(run_it(), 0);
  EXPECT_TRUE(printed("4 passed, 0 failed")) << out_;
}

TEST_F(Run, ListsWhatMatches) {
  write("below/two.yaml", says_hello);
  write("one.json", R"({"name": "one", "steps": []})");
  write("three.yml", says_hello);
  write("notes.txt", "not a scenario");
  options_.only = "two|one";
  options_.purpose = Purpose::List;
  EXPECT_EQ(run_it(), 0);
  EXPECT_EQ(out_, path("below/two.yaml") + "\n" + path("one.json") + "\n");
}

TEST_F(Run, SaysThatNothingMatched) {
  write("hello.yaml", says_hello);
  options_.only = "nothing";
  run_it();
  EXPECT_EQ(sentence_, "--only: no scenario matches \"nothing\"");
}

TEST_F(Run, SaysThatAFolderHoldsNoScenario) {
  run_it();
  EXPECT_EQ(sentence_, "there is no scenario at the given paths");
}

TEST_F(Run, SaysThatAPathDoesNotExist) {
  options_.paths = {"/no/such/path"};
  run_it();
  EXPECT_EQ(sentence_, "there is no file or folder \"/no/such/path\"");
}

TEST_F(Run, RefusesAFaultyPattern) {
  write("hello.yaml", says_hello);
  options_.only = "(";
  run_it();
  EXPECT_TRUE(sentence_.starts_with("--only: \"(\" is no regular expression: ")) << sentence_;
}

TEST_F(Run, NamesEveryFaultOfEveryFileAndServesNothing) {
  write("a.yaml", "name: a\nstepz: []\n");
  write("b.yaml", "name: b\nsteps:\n  - instert: {}\n");
  options_.command = {"/bin/sh", "-c", "echo started >&2"};
  EXPECT_EQ(run_it(), 2);
  EXPECT_NE(err_.find(path("a.yaml") + ":2:1: "), std::string::npos) << err_;
  EXPECT_NE(err_.find(path("b.yaml") + ":3:5: "), std::string::npos) << err_;
  EXPECT_EQ(err_.find("started"), std::string::npos);
}

TEST_F(Run, NamesACommandThatCannotBeStarted) {
  write("hello.yaml", says_hello);
  options_.command = {"no-such-program"};
  run_it();
  EXPECT_EQ(sentence_, "cannot start no-such-program: No such file or directory");
}

TEST_F(Run, AnInterruptEndsItWithTheTableSoFar) {
  write("a.yaml", says_hello);
  write("b.yaml", says_hello);
  // The consumer interrupts its parent: this process, while it runs the trial.
  options_.command = {"/bin/sh", "-c", "kill -INT $PPID; exec sleep 100"};
  EXPECT_EQ(run_it(), 128 + SIGINT);
  EXPECT_TRUE(printed("1 skipped")) << out_;
}

TEST_F(Run, CheckFindsNothingInAGoodFile) {
  write("hello.yaml", says_hello);
  EXPECT_EQ(check({folder_.string()}), 0);
}

}  // namespace
}  // namespace server
