#include "server/trial.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "scenarios/director.h"
#include "server/clock.h"
#include "server/director_core.h"
#include "server/lifetime.h"
#include "server/process.h"
#include "server/start_error.h"

namespace server {

namespace {

class Trial final : TrialShell {
 public:
  Trial(const scenarios::Scenario& scenario, const TrialOptions& options)
      : options_(options),
        director_(scenario,
                  {.purpose = scenarios::Purpose::Trial,
                   .command = options.command.empty() ? scenarios::Command::None : scenarios::Command::Given,
                   .journal = emulator::JournalLevel::Full,
                   .control_url = ""},
                  now()),
        core_(director_),
        host_(io_, core_, *this, host_options(options), scenario.deployment.members.size()),
        interrupts_(io_, [this](int signal) { interrupt(signal); }) {}

  TrialResult run() {
    host_.start();
    io_.run();
    host_.stop();
    if (start_failure_) throw *start_failure_;
    return std::move(result_);
  }

 private:
  static HostOptions host_options(const TrialOptions& options) {
    HostOptions host = options.host;
    host.connections_max = std::min(host.connections_max, raise_open_files_limit());
    return host;
  }

  void interrupt(int signal) {
    result_.interrupted_by = signal;
    host_.perform([this](emulator::Now now, auto& effects) { director_.interrupt("interrupted", now, effects); });
  }

  // Inside a step: the process' own news come through the loop, after it.
  void start_process(const scenarios::StartProcess& start) override {
    try {
      process_ = std::make_unique<Process>(
          io_, ProcessSpec{.command = options_.command, .environment = start.environment},
          Process::Callbacks{
              .output = [this](auto stream, std::string_view bytes) { hear(stream, bytes); },
              .exited = [this](const scenarios::ProcessExited& exited) { host_.step(exited); },
          });
    } catch (const StartError& error) {
      start_failure_ = error;
      io_.stop();
    }
  }

  void hear(scenarios::OutputStream stream, std::string_view bytes) {
    if (options_.output) options_.output(stream, bytes);
    host_.step(scenarios::ProcessOutput{.stream = stream, .bytes = std::string(bytes)});
  }

  void stop_process(const scenarios::StopProcess& stop) override {
    if (process_) process_->signal(stop.signal);
  }

  void ready(const scenarios::Ready& ready) override {
    if (options_.ready) options_.ready(ready);
  }

  void script_failed(const scenarios::ScriptFailed&) override {}  // of what is only served

  void finished(const scenarios::Finished& finished) override {
    result_.finished = finished;
    io_.stop();
  }

  const TrialOptions& options_;
  boost::asio::io_context io_{1};
  scenarios::Director director_;
  DirectorCore core_;
  Host host_;
  std::unique_ptr<Process> process_;
  Interrupts interrupts_;
  TrialResult result_;
  std::optional<StartError> start_failure_;
};

}  // namespace

TrialResult run_trial(const scenarios::Scenario& scenario, const TrialOptions& options) {
  ignore_broken_pipes();
  return Trial(scenario, options).run();
}

}  // namespace server
