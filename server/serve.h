// `oplogue serve`: one deployment until somebody stops it. Knows no option's text and no scenario's.
#pragma once

#include <string>

#include "emulator/journal.h"
#include "scenarios/scenario.h"
#include "server/host.h"

namespace server {

struct ServeOptions {
  scenarios::Scenario scenario;  // an empty one serves a fresh deployment
  HostOptions host;
  emulator::JournalLevel journal = emulator::JournalLevel::Full;
  std::string version;     // of this program
  std::string ready_file;  // empty: none
  int parent_pid = 0;      // 0: lives on when its parent ends
};

// Returns the exit code. Throws StartError before anything is served.
int serve(const ServeOptions& options);

}  // namespace server
