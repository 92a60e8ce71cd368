#include "server/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <utility>

#include "scenarios/report.h"
#include "server/clock.h"
#include "server/scenario_files.h"
#include "server/start_error.h"
#include "server/trial.h"

namespace server {

namespace {

constexpr int exit_usage = 2;
constexpr int exit_by_signal = 128;

struct Planned {
  std::string title;
  scenarios::Scenario scenario;
};

void say(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

// Prints the faults; whether there were any.
bool print_problems(const LoadedFiles& loaded) {
  for (const std::string& problem : loaded.problems) say(stderr, problem + "\n");
  return !loaded.problems.empty();
}

std::regex compile_only(const std::string& pattern) {
  try {
    return std::regex(pattern, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    throw StartError(fmt::format("--only: \"{}\" is no regular expression: {}", pattern, error.what()));
  }
}

std::vector<Planned> plan(std::vector<scenarios::Scenario> scenarios, const RunOptions& options) {
  const std::regex only = compile_only(options.only.value_or(""));
  std::vector<Planned> planned;
  for (scenarios::Scenario& scenario : scenarios) {
    if (options.timeout) scenario.timeout = *options.timeout;
    apply_texts(options.deployment, scenario.deployment);
    if (options.host.tls) scenario.deployment.transport = emulator::Transport::Tls;
    if (!std::regex_search(scenario.title(), only)) continue;
    if (options.profiles.empty()) planned.push_back({scenario.title(), scenario});
    for (const std::string& profile : options.profiles) {
      DeploymentTexts texts;
      texts.profile = profile;
      apply_texts(texts, scenario.deployment);
      planned.push_back({fmt::format("{} ({})", scenario.title(), profile), scenario});
    }
  }
  return planned;
}

// The consumer is heard live when it is the only one; else the report quotes it where it matters.
TrialOptions trial_options(const RunOptions& options, std::size_t trial_count) {
  TrialOptions trial{.command = options.command, .host = options.host, .output = {}, .ready = {}};
  if (trial_count == 1) {
    trial.output = [](scenarios::OutputStream stream, std::string_view bytes) {
      say(stream == scenarios::OutputStream::Out ? stdout : stderr, std::string(bytes));
    };
  }
  if (options.command.empty()) {
    trial.ready = [](const scenarios::Ready& ready) { say(stderr, "serving " + ready.uri + "\n"); };
  }
  return trial;
}

using Result = scenarios::TableRow::Result;

scenarios::TableRow skipped(const Planned& one, std::string reason) {
  return {.result = Result::Skipped, .title = one.title, .seconds = 0, .details = std::move(reason), .refused = {}};
}

scenarios::TableRow row_of(const Planned& one, const scenarios::Finished& finished, emulator::RealTime took) {
  return {.result = finished.verdict == scenarios::Verdict::Passed ? Result::Passed : Result::Failed,
          .title = one.title,
          .seconds = std::chrono::duration<double>(took).count(),
          .details = finished.failure,
          .refused = finished.refused};
}

int try_all(const std::vector<Planned>& planned, const RunOptions& options) {
  const TrialOptions trial = trial_options(options, planned.size() * options.repeat);
  const bool shows_progress = ::isatty(STDERR_FILENO) == 1;
  std::vector<scenarios::TableRow> rows;
  int interrupted_by = 0;
  bool stopped = false;
  for (std::uint64_t round = 0; round < options.repeat; ++round) {
    for (const Planned& one : planned) {
      if (stopped || interrupted_by != 0) {
        rows.push_back(skipped(one, stopped ? "after a failure" : "interrupted"));
        continue;
      }
      if (shows_progress)
        say(stderr, fmt::format("[{}/{}] {}\n", rows.size() + 1, planned.size() * options.repeat, one.title));
      const emulator::RealTime began = now().real;
      const TrialResult result = run_trial(one.scenario, trial);
      rows.push_back(row_of(one, result.finished, now().real - began));
      interrupted_by = result.interrupted_by;
      stopped = options.after_failure == AfterFailure::Stop && rows.back().result == Result::Failed;
    }
  }
  say(stdout, scenarios::table(rows, planned.front().scenario.deployment.seed));
  return interrupted_by != 0 ? exit_by_signal + interrupted_by : scenarios::exit_code(rows);
}

}  // namespace

int run(const RunOptions& options) {
  const bool has_command = !options.command.empty() || options.purpose == Purpose::List;
  const scenarios::Command command = has_command ? scenarios::Command::Given : scenarios::Command::None;
  LoadedFiles loaded = load_scenario_files(find_scenario_files(options.paths), command);
  if (print_problems(loaded)) return exit_usage;
  const std::vector<Planned> planned = plan(std::move(loaded.scenarios), options);
  if (planned.empty()) {
    throw StartError(options.only ? fmt::format("--only: no scenario matches \"{}\"", *options.only)
                                  : "there is no scenario at the given paths");
  }
  if (options.purpose == Purpose::List) {
    for (const Planned& one : planned) say(stdout, one.title + "\n");
    return 0;
  }
  return try_all(planned, options);
}

int check(const std::vector<std::string>& paths) {
  const std::vector<std::string> files = find_scenario_files(paths);
  if (files.empty()) throw StartError("there is no scenario at the given paths");
  // With a COMMAND all words are allowed; which steps need one is run's to say.
  return print_problems(load_scenario_files(files, scenarios::Command::Given)) ? exit_usage : 0;
}

}  // namespace server
