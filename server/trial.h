// `oplogue run`, one scenario: serves it, runs COMMAND against it, brings back the verdict.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/effect.h"
#include "scenarios/scenario.h"
#include "server/host.h"

namespace server {

struct TrialOptions {
  std::vector<std::string> command;  // empty: whoever connects is the consumer
  HostOptions host;
  // The consumer's output as it comes; may be empty.
  std::function<void(scenarios::OutputStream stream, std::string_view bytes)> output;
  // The deployment is ready: without COMMAND, somebody has to be told where.
  std::function<void(const scenarios::Ready& ready)> ready;
};

struct TrialResult {
  scenarios::Finished finished;
  int interrupted_by = 0;  // the signal that ended it early; 0: none
};

// Throws StartError when nothing could be served or COMMAND could not be started.
TrialResult run_trial(const scenarios::Scenario& scenario, const TrialOptions& options);

}  // namespace server
