#include "server/process.h"

#include <csignal>
#include <filesystem>
#include <fstream>

#include "server/start_error.h"
#include "tests/unit/server/loopback.h"

namespace server {
namespace {

using scenarios::OutputStream;
using scenarios::StopSignal;

// Runs a command and keeps what it says.
struct Ran {
  explicit Ran(std::vector<std::string> command, std::map<std::string, std::optional<std::string>> environment = {})
      : process(io, {.command = std::move(command), .environment = std::move(environment)},
                {.output = [this](OutputStream stream,
                                  std::string_view bytes) { (stream == OutputStream::Out ? out : err).append(bytes); },
                 .exited = [this](const scenarios::ProcessExited& how) { exited = how; }}) {}
  bool ended() {
    return run_until(io, [&] { return exited.has_value(); });
  }

  boost::asio::io_context io{1};
  std::string out;
  std::string err;
  std::optional<scenarios::ProcessExited> exited;
  Process process;
};

TEST(Process, GivesBothStreamsAndTheExitCode) {
  Ran ran({"/bin/sh", "-c", "echo one; echo two >&2; exit 7"});
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.out, "one\n");
  EXPECT_EQ(ran.err, "two\n");
  EXPECT_EQ(ran.exited->code, 7);
  EXPECT_EQ(ran.exited->signal, std::nullopt);
  EXPECT_FALSE(ran.process.running());
}

TEST(Process, GivesAllOutputBeforeTheEnd) {
  Ran ran({"/bin/sh", "-c", "head -c 1000000 /dev/zero"});
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.out.size(), 1'000'000u);
}

TEST(Process, PassesArgumentsWithoutAShell) {
  Ran ran({"printf", "%s|", "a b", "$HOME", "*"});
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.out, "a b|$HOME|*|");
}

TEST(Process, ChangesTheEnvironment) {
  ::setenv("OPLOGUE_TEST_UNSET", "inherited", 1);
  Ran ran({"/bin/sh", "-c", "echo \"$MONGODB_URI,$OPLOGUE_TEST_UNSET,${PATH:+path}\""},
          {{"MONGODB_URI", "mongodb://x"}, {"OPLOGUE_TEST_UNSET", std::nullopt}});
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.out, "mongodb://x,,path\n");
}

TEST(Process, NamesAProgramThatDoesNotExist) {
  boost::asio::io_context io{1};
  try {
    Process process(io, {.command = {"no-such-program"}, .environment = {}}, {});
    FAIL() << "it started";
  } catch (const StartError& error) {
    EXPECT_STREQ(error.what(), "cannot start no-such-program: No such file or directory");
  }
}

TEST(Process, TerminateReachesTheWholeGroup) {
  Ran ran({"/bin/sh", "-c", "echo up; sleep 1000 & wait"});
  ASSERT_TRUE(run_until(ran.io, [&] { return ran.out == "up\n"; }));
  ran.process.signal(StopSignal::Terminate);
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.exited->signal, SIGTERM);
}

TEST(Process, KillEndsWhatIgnoresTerminate) {
  Ran ran({"/bin/sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.01; done"});
  ASSERT_TRUE(run_until(ran.io, [&] { return ran.out == "up\n"; }));
  ran.process.signal(StopSignal::Terminate);
  ran.process.signal(StopSignal::Kill);
  ASSERT_TRUE(ran.ended());
  EXPECT_EQ(ran.exited->signal, SIGKILL);
}

TEST(Process, LeavesNoChildBehind) {
  Ran ran({"/bin/sh", "-c", "sleep 1000 & echo $!"});
  ASSERT_TRUE(ran.ended());
  const auto child = std::stoi(ran.out);
  // Killed with its group; init reaps it when it gets round to it.
  EXPECT_TRUE(run_until(ran.io, [&] {
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.find(") Z ") != std::string::npos;
  }));
}

}  // namespace
}  // namespace server
