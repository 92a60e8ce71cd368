// Every recorded case, in process: what Oplogue says is what mongod said. Cases of not_yet.txt must fail; taking one off
// that list is how it is finished.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "tests/golden/case_runner.h"

namespace golden {

// GoogleTest prints it beside the name of a test that failed.
static void PrintTo(const CaseFile& file, std::ostream* out) { *out << file.name; }

namespace {

constexpr std::size_t shown_max = 5;
constexpr const char* verbose_variable = "OPLOGUE_GOLDEN_VERBOSE";

// Case → why it does not pass yet: `name: reason` a line.
std::map<std::string, std::string> not_yet() {
  std::map<std::string, std::string> out;
  std::ifstream in(OPLOGUE_SOURCE_DIR "/tests/golden/not_yet.txt");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with('#') || colon == std::string::npos) continue;
    out.emplace(line.substr(0, colon), line.substr(colon + 2));
  }
  return out;
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
  const auto listed = not_yet();
  const auto reason = listed.find(golden_case.name);
  if (reason == listed.end()) {
    EXPECT_TRUE(found.empty()) << golden_case.name << ":\n" << report(found);
  } else if (found.empty()) {
    ADD_FAILURE() << golden_case.name << " passes: take it off tests/golden/not_yet.txt";
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

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(case_files()), test_name);

TEST(NotYet, NamesOnlyCasesThatExist) {
  const std::vector<CaseFile> files = case_files();
  for (const auto& [name, reason] : not_yet())
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&name = name](const CaseFile& file) {
      return file.name == name;
    })) << name;
}

// For developers: golden --case NAME [-v]; prints what differs and ends with 1 if anything does.
int run_one(const std::string& name) {
  for (const CaseFile& file : case_files()) {
    if (file.name != name) continue;
    const std::vector<std::string> found = faults(load(file));
    std::cout << (found.empty() ? "ok   " : "FAIL ") << name << "\n" << report(found);
    return found.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  std::cerr << "no case is named " << name << "\n";
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace golden

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (std::find(arguments.begin(), arguments.end(), "-v") != arguments.end()) setenv(golden::verbose_variable, "1", 1);
  const auto named = std::find(arguments.begin(), arguments.end(), "--case");
  if (named != arguments.end() && named + 1 != arguments.end()) return golden::run_one(*(named + 1));
  return RUN_ALL_TESTS();
}
