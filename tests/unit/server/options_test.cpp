#include "server/options.h"

#include <gtest/gtest.h>

#include "server/start_error.h"

namespace server {
namespace {

using namespace std::chrono_literals;

template <class Read>
std::string sentence(Read read) {
  try {
    read();
  } catch (const StartError& error) {
    return error.what();
  }
  return "it was read";
}

std::string sentence(const DeploymentTexts& texts) {
  return sentence([&] {
    emulator::DeploymentSpec spec;
    apply_texts(texts, spec);
  });
}

TEST(Options, LeaveWhatWasNotSaidAsItWas) {
  emulator::DeploymentSpec spec;
  spec.profile = "mongodb-6.0";
  spec.seed = 7;
  apply_texts({}, spec);
  EXPECT_EQ(spec.profile, "mongodb-6.0");
  EXPECT_EQ(spec.seed, 7u);
}

TEST(Options, OverrideADeployment) {
  emulator::DeploymentSpec spec;
  apply_texts({.profile = "mongodb-6.0",
               .topology = "standalone",
               .members = "a,second",
               .seed = "18446744073709551615",
               .clock = "2026-01-01T00:00:01Z",
               .oplog_start = "rolled",
               .oplog_bytes = "2MiB",
               .advertise = "db.example:27017",
               .parameters = {"periodicNoopIntervalSecs=1", "x=0.5", "y=true", "z=text", "big=5000000000"}},
              spec);
  EXPECT_EQ(spec.profile, "mongodb-6.0");
  EXPECT_EQ(spec.topology, emulator::Topology::Standalone);
  EXPECT_EQ(spec.members, (std::vector<std::string>{"a", "second"}));
  EXPECT_EQ(spec.seed, 18446744073709551615u);
  EXPECT_EQ(spec.held_clock->time_since_epoch(), 1767225601s);
  EXPECT_EQ(spec.oplog_start, emulator::OplogStart::Rolled);
  EXPECT_EQ(spec.oplog_bytes, std::size_t{2} << 20);
  EXPECT_EQ(spec.advertise, "db.example:27017");
  EXPECT_EQ(spec.parameters.at("periodicNoopIntervalSecs").view().as_int32(), 1);
  EXPECT_EQ(spec.parameters.at("x").view().as_double(), 0.5);
  EXPECT_TRUE(spec.parameters.at("y").view().as_bool());
  EXPECT_EQ(spec.parameters.at("z").view().as_string(), "text");
  EXPECT_EQ(spec.parameters.at("big").view().as_int64(), 5'000'000'000);
}

TEST(Options, NameMembersByLetter) {
  emulator::DeploymentSpec spec;
  apply_texts({.members = "3"}, spec);
  EXPECT_EQ(spec.members, (std::vector<std::string>{"a", "b", "c"}));
  apply_texts({.members = "28"}, spec);
  EXPECT_EQ(spec.members[27], "b2");
}

TEST(Options, LetTheSystemsClockRun) {
  emulator::DeploymentSpec spec;
  spec.held_clock = emulator::SystemTime(1s);
  apply_texts({.clock = "system"}, spec);
  EXPECT_EQ(spec.held_clock, std::nullopt);
}

TEST(Options, AdvertiseAHostWithOrWithoutAPort) {
  for (const char* text : {"db", "db:27017", "[::1]", "[::1]:65535"}) {
    emulator::DeploymentSpec spec;
    apply_texts({.advertise = text}, spec);
    EXPECT_EQ(spec.advertise, text);
  }
  for (const std::string text :
       {"", ":", ":1", "db:", "db:x", "db:0", "db:65536", "db:-1", "::1", "[::1", "[::1]x", "a b"})
    EXPECT_EQ(sentence({.advertise = text}),
              "--advertise: \"" + text + "\" is not a host or HOST:PORT, such as db:27017");
}

TEST(Options, NameTheNearestProfile) {
  EXPECT_EQ(sentence({.profile = "mongodb-7"}), "--profile: there is no \"mongodb-7\"; did you mean \"mongodb-7.0\"?");
}

TEST(Options, ListAllWordsWhenNoneIsNear) {
  EXPECT_EQ(sentence({.oplog_start = "yesterday"}),
            "--oplog-start: there is no \"yesterday\"; there are fresh, rolled");
}

TEST(Options, SayWhatIsWrongWithAValue) {
  EXPECT_EQ(sentence({.members = "0"}), "--members: \"0\" is not a number from 1 to 50, or a list of names");
  EXPECT_EQ(sentence({.members = "a,,b"}), "--members: \"a,,b\" is not a list of names such as a,b,c");
  EXPECT_EQ(sentence({.members = ""}), "--members: \"\" is not a list of names such as a,b,c");
  EXPECT_EQ(sentence({.members = "a,a"}), "--members: \"a\" is named twice");
  EXPECT_EQ(sentence({.seed = "-1"}), "--seed: \"-1\" is not a whole number from 0");
  EXPECT_EQ(sentence({.clock = "2026-02-30T00:00:00Z"}),
            "--clock: \"2026-02-30T00:00:00Z\" is not \"system\" or an instant such as 2026-01-01T00:00:00Z");
  EXPECT_EQ(sentence({.oplog_bytes = "5QB"}),
            "--oplog-bytes: \"5QB\" is not a number of bytes such as 1048576 or 256MiB");
  EXPECT_EQ(sentence({.oplog_bytes = "99999999999GiB"}),
            "--oplog-bytes: \"99999999999GiB\" is not a number of bytes such as 1048576 or 256MiB");
  EXPECT_EQ(sentence({.parameters = {"=1"}}), "--set: \"=1\" is not of the form PARAMETER=VALUE");
}

TEST(Options, ReadPorts) {
  EXPECT_EQ(read_port("0"), 0);
  EXPECT_EQ(read_port("65535"), 65535);
  for (const char* text : {"65536", "-1", "", "27017x"}) {
    EXPECT_EQ(sentence([&] { read_port(text); }),
              "--port: \"" + std::string(text) + "\" is not a port from 0 to 65535");
  }
}

TEST(Options, ReadDurations) {
  EXPECT_EQ(read_duration("--timeout", "500ms"), 500ms);
  EXPECT_EQ(read_duration("--timeout", "60s"), 60s);
  EXPECT_EQ(read_duration("--timeout", "2m"), 2min);
  EXPECT_EQ(read_duration("--timeout", "1h"), 1h);
  for (const char* text : {"60", "s", "1d", "99999999999s"}) {
    EXPECT_EQ(sentence([&] { read_duration("--timeout", text); }),
              "--timeout: \"" + std::string(text) + "\" is not a duration such as 500ms, 60s or 2m");
  }
}

TEST(Options, ReadLists) {
  EXPECT_EQ(read_list(""), std::vector<std::string>{});
  EXPECT_EQ(read_list("a"), std::vector<std::string>{"a"});
  EXPECT_EQ(read_list("a,b"), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace server
