// A scenario file, read and checked: what is served, given, done and judged. Text in, faults with positions out; touches no file.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/deployment_spec.h"
#include "scenarios/node.h"
#include "scenarios/position.h"
#include "scenarios/steps/step.h"

namespace scenarios {

// A step with where it stands and how a failure quotes it.
struct PlacedStep {
  std::shared_ptr<const Step> step;
  Position at;
  std::string text;  // "await: {command: open}"
};

struct Scenario {
  std::string file;
  std::string name;
  std::string shows;
  std::string variant;  // empty: the file has none
  emulator::DeploymentSpec deployment;
  std::map<std::string, Node> consumer_env;
  std::vector<PlacedStep> given;
  std::vector<PlacedStep> steps;
  std::vector<PlacedStep> always;
  std::chrono::nanoseconds timeout{std::chrono::seconds{60}};
  // "file" or "file [variant]"
  std::string title() const;
};

// Whether a COMMAND stands after `--`: without one, consumer, output and exit are faults of the file.
enum class Command { Given, None };

struct Loaded {
  std::vector<Scenario> scenarios;  // one a variant; empty if there are problems
  std::vector<Problem> problems;    // all of the file, in order of place
};

// `file` names it in messages and, by its ending (.json), says how it is written.
Loaded load_scenario(std::string_view file, std::string_view text, Command command);
// The deployment of `serve` without a scenario.
Scenario empty_scenario(emulator::DeploymentSpec deployment);

}  // namespace scenarios
