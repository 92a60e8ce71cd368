// `oplogue serve`: one deployment until somebody stops it. Knows no option's text and no scenario's.
#pragma once

#include <string>

#include "emulator/deployment_spec.h"
#include "server/host.h"

namespace server {

struct ServeOptions {
  emulator::DeploymentSpec deployment;
  HostOptions host;
  std::string version;     // of this program
  std::string ready_file;  // empty: none
  int parent_pid = 0;      // 0: lives on when its parent ends
};

// Returns the exit code. Throws StartError before anything is served.
int serve(const ServeOptions& options);

}  // namespace server
