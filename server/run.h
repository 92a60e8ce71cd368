// `oplogue run`: finds scenarios, tries each, prints the table. Knows no command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/host.h"
#include "server/options.h"

namespace server {

enum class AfterFailure { GoOn, Stop };
enum class Purpose { Try, List };

struct RunOptions {
  std::vector<std::string> paths;
  std::vector<std::string> command;   // empty: whoever connects is the consumer
  std::optional<std::string> only;    // a regular expression that a title must contain a match of
  std::vector<std::string> profiles;  // each scenario under each; empty: its own
  DeploymentTexts deployment;
  HostOptions host;
  std::optional<std::chrono::nanoseconds> timeout;
  std::uint64_t repeat = 1;
  AfterFailure after_failure = AfterFailure::GoOn;
  Purpose purpose = Purpose::Try;
};

// Returns the exit code: 0 all passed, 1 one failed, 2 faults in files or no scenario matched, 130/143 interrupted.
// Throws StartError.
int run(const RunOptions& options);

// `oplogue check`: every fault of every file on stderr; 0 when there is none, else 2.
int check(const std::vector<std::string>& paths);

}  // namespace server
