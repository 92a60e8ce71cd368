// Scenario files on disk: found, read, loaded. Knows nothing of what stands in them.
#pragma once

#include <string>
#include <vector>

#include "scenarios/scenario.h"

namespace server {

// Files as given; of a folder every .yaml, .yml and .json file below it, sorted. Throws StartError for what is not there.
std::vector<std::string> find_scenario_files(const std::vector<std::string>& paths);

struct LoadedFiles {
  std::vector<scenarios::Scenario> scenarios;
  std::vector<std::string> problems;  // "file:12:7: sentence", every one of every file
};

// Throws StartError for a file that cannot be read.
LoadedFiles load_scenario_files(const std::vector<std::string>& files, scenarios::Command command);

}  // namespace server
