// Every recorded case, in process: what Oplogue says is what mongod said. Cases of the not_yet files must fail; taking one off
// such a list is how it is finished.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <map>

#include "tests/golden/case_runner.h"

namespace golden {

// GoogleTest prints it beside the name of a test that failed.
static void PrintTo(const CaseFile& file, std::ostream* out) { *out << file.server.version << "/" << file.name; }

namespace {

constexpr std::size_t shown_max = 5;
constexpr const char* verbose_variable = "OPLOGUE_GOLDEN_VERBOSE";

std::string not_yet_file(const RecordedServer& server) {
  return server.version == mongod_6_0_5.version ? "not_yet.txt" : "not_yet_" + std::string(server.version) + ".txt";
}

using Reasons = std::map<std::string, std::string>;

// Case → why it does not pass yet.
const Reasons& not_yet(const RecordedServer& server) {
  static std::map<std::string_view, Reasons> lists;
  const auto [at, is_new] = lists.try_emplace(server.version);
  if (is_new)
    for (auto& [name, reason] : named_cases(not_yet_file(server))) at->second.emplace(name, reason);
  return at->second;
}

std::vector<std::string> faults(const Case& golden_case) {
  try {
    return differences(golden_case.expect, CaseRunner(golden_case).run());
  } catch (const ConnectionClosed&) {
    return {"the server closed the connection"};
  } catch (const std::exception& error) {
    return {error.what()};
  }
}

std::string report(const std::vector<std::string>& faults) {
  const bool verbose = std::getenv(verbose_variable) != nullptr;
  std::string out;
  for (std::size_t n = 0; n < faults.size() && (verbose || n < shown_max); ++n) out += "     " + faults[n] + "\n";
  if (!verbose && faults.size() > shown_max) out += "     and " + std::to_string(faults.size() - shown_max) + " more\n";
  return out;
}

class Golden : public testing::TestWithParam<CaseFile> {};

TEST_P(Golden, SaysWhatMongodSaid) {
  const Case golden_case = load(GetParam());
  const std::vector<std::string> found = faults(golden_case);
  const Reasons& listed = not_yet(GetParam().server);
  const auto reason = listed.find(golden_case.name);
  if (reason == listed.end()) {
    EXPECT_TRUE(found.empty()) << golden_case.name << ":\n" << report(found);
  } else if (found.empty()) {
    ADD_FAILURE() << golden_case.name << " passes: take it off tests/golden/" << not_yet_file(GetParam().server);
  } else {
    GTEST_SKIP() << "not yet: " << reason->second << "\n" << report(found);
  }
}

std::string test_name(const testing::TestParamInfo<CaseFile>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(case_files(recorded_servers[0])), test_name);
INSTANTIATE_TEST_SUITE_P(V6_0_27, Golden, testing::ValuesIn(case_files(recorded_servers[1])), test_name);
INSTANTIATE_TEST_SUITE_P(V5_0_4, Golden, testing::ValuesIn(case_files(recorded_servers[2])), test_name);
INSTANTIATE_TEST_SUITE_P(V4_4_2, Golden, testing::ValuesIn(case_files(recorded_servers[3])), test_name);
INSTANTIATE_TEST_SUITE_P(V4_2_6, Golden, testing::ValuesIn(case_files(recorded_servers[4])), test_name);

TEST(NotYet, NamesOnlyCasesThatExist) {
  for (const RecordedServer& server : recorded_servers) {
    const std::vector<CaseFile> files = case_files(server);
    for (const auto& [name, reason] : not_yet(server))
      EXPECT_TRUE(
          std::any_of(files.begin(), files.end(), [&name = name](const CaseFile& file) { return file.name == name; }))
          << server.version << "/" << name;
  }
}

// For developers: golden --case [VERSION/]NAME [-v]; prints what differs and ends with 1 if anything does. VERSION/ alone
// plays all cases of that server and says how many pass.
int run_named(const std::string& wanted) {
  const std::size_t slash = wanted.find('/');
  const std::string version = slash == std::string::npos ? std::string(mongod_6_0_5.version) : wanted.substr(0, slash);
  const std::string name = slash == std::string::npos ? wanted : wanted.substr(slash + 1);
  std::size_t played = 0;
  std::size_t passed = 0;
  for (const RecordedServer& server : recorded_servers) {
    if (server.version != version) continue;
    for (const CaseFile& file : case_files(server)) {
      if (!name.empty() && file.name != name) continue;
      const std::vector<std::string> found = faults(load(file));
      ++played;
      if (found.empty()) ++passed;
      std::cout << (found.empty() ? "ok   " : "FAIL ") << file.name << "\n" << report(found);
    }
  }
  if (played == 0) std::cerr << "no case is named " << wanted << "\n";
  if (name.empty()) std::cout << passed << " of " << played << " pass\n";
  return played > 0 && passed == played ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace golden

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "-v") != arguments.end()) setenv(golden::verbose_variable, "1", 1);
  const auto named = std::find(arguments.begin(), arguments.end(), "--case");
  if (named != arguments.end() && named + 1 != arguments.end()) return golden::run_named(*(named + 1));
  return RUN_ALL_TESTS();
}
